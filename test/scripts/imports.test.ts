import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const ROOT = new URL('../../', import.meta.url)

/** Static imports and re-exports, except imports of types, which don't exist at run time. */
const IMPORTS = /^(?:import|export)\s+(?!type\b)(?:[^'"]*?\sfrom\s+)?'([^']+)'/gm

/** Returns the path of every module and the name of every package that is loaded together with a module. */
function findLoadedModules(entry: string): Set<string> {
  const loaded = new Set<string>()
  const visit = (path: string) => {
    if (loaded.has(path)) return
    loaded.add(path)
    if (!path.startsWith('src/')) return
    const url = new URL(path, ROOT)
    for (const [, imported = ''] of readFileSync(url, 'utf8').matchAll(IMPORTS)) {
      const isFile = imported.startsWith('.')
      visit(isFile ? fileURLToPath(new URL(imported, url)).slice(fileURLToPath(ROOT).length) : imported)
    }
  }
  visit(entry)
  return loaded
}

describe('raw text', () => {
  it('loads no code for sign-in or email', () => {
    const loaded = [...findLoadedModules('src/site/documents/raw/raw.tsx')]
    expect(loaded).toContain('src/documents/read.ts')
    expect(loaded.filter((path) => /^src\/.*(sign-in|mail)|^better-auth/.test(path))).toEqual([])
  })
})
