import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** What a folder may import: other rows of this table, and npm packages. */
interface Row {
  readonly rows: string
  readonly packages: string
}

/** The topics that have pages of their own. */
const PAGES = 'device download embed explore history moderation previews'

/**
 * The longest row that a file's path starts with decides. `src` means the files beside the folders. A folder may always
 * import from itself.
 */
const TABLE: Readonly<Record<string, Row>> = {
  'src/shared': { rows: '', packages: 'diff jose' },
  'src/shared/setting-schemas': { rows: 'shared', packages: 'zod' },
  'src/shared/mcp': { rows: 'shared', packages: 'zod' },
  'src/errors': { rows: 'shared', packages: '' },
  'src/platform': { rows: 'shared errors', packages: 'hono nanoid' },
  'src/documents': { rows: 'shared errors platform', packages: 'entities jose nanoid' },
  'src/accounts': { rows: 'shared errors platform', packages: 'jose nanoid oauth4webapi' },
  'src/accounts/account-deletion': { rows: 'accounts documents platform', packages: '' },
  'src/gists': { rows: 'shared errors platform documents accounts', packages: '' },
  'src/http': { rows: 'shared errors platform documents accounts gists config env', packages: 'hono' },
  'src/http/limits-table': { rows: 'errors', packages: '' },
  'src/http/unpack': { rows: 'env errors platform', packages: 'node:stream node:zlib' },
  'src/config': { rows: 'shared documents http/limits-table', packages: '' },
  'src/env': { rows: 'shared config platform documents accounts', packages: 'hono' },
  'src/health': { rows: 'shared config env platform ui/assets.generated', packages: '' },
  'src/api': {
    rows: 'shared errors platform documents accounts gists config env http',
    packages: 'hono zod @hono/zod-validator',
  },
  'src/plain-text': { rows: 'shared errors platform documents accounts config env http', packages: 'hono' },
  'src/mcp': { rows: 'shared errors documents accounts env http', packages: 'hono' },
  'src/ui': { rows: 'shared errors platform documents accounts config env http', packages: 'hono lucide' },
  'src/site': {
    rows: `shared errors platform documents accounts gists config env http ui reference ${PAGES}`,
    packages: 'hono nanoid zod',
  },
  ...Object.fromEntries(
    PAGES.split(' ').map((topic) => [
      `src/${topic}`,
      {
        rows: `shared errors platform documents accounts config env http ui ${PAGES}`,
        packages: 'hono nanoid client-zip highlight.js @takumi-rs/wasm',
      },
    ]),
  ),
  'src/reference': { rows: 'shared errors api ui', packages: 'hono' },
  'src/app': {
    rows: `errors env http api plain-text mcp health site ui ${PAGES}`,
    packages: 'hono',
  },
  'src/scheduled': {
    rows: 'config shared env platform documents accounts gists moderation',
    packages: '',
  },
  'src/index': { rows: 'app scheduled env', packages: '' },
  'src/untyped-modules.d': { rows: '', packages: 'lucide markdown-it' },
  'src/client': {
    rows: 'shared',
    packages:
      '@codemirror/* @lezer/* cm6-graphql codemirror-lang-hcl dompurify github-slugger js-yaml lucide markdown-it mermaid ' +
      'client-zip markdown-it-emoji markdown-it-footnote nanoid papaparse re2js smol-toml uqr',
  },
  // Runs the built Worker on one machine. It reads the Worker's own code only to parse and log as that does.
  server: {
    rows: 'src/shared src/config src/platform/log src/accounts src/http/limits-table scripts/support',
    packages: 'node:* @hono/node-server hono nodemailer rolldown',
  },
  // The typed client also runs in browsers and Workers.
  'cli/src/client': { rows: 'shared', packages: '' },
  'cli/src': { rows: 'shared cli/src/client', packages: 'node:* ignore' },
  // The conformance suite uses only HTTP, so it works for other servers.
  'test/conformance': { rows: '', packages: 'node:* vitest hono jose' },
}

interface Import {
  /** A path from the project's root, or the name of a package. */
  readonly target: string
  readonly isFile: boolean
  readonly kind: 'static' | 'type' | 'dynamic'
}

const IMPORTS =
  /^(?:import|export)\s+(?<type>type\b)?(?:[^'"`;]*?\sfrom\s+)?'(?<source>[^']+)'|\bimport\(\s*'(?<dynamic>[^']+)'/gm

function readImports(path: string, source: string): Import[] {
  return [...source.matchAll(IMPORTS)].map(({ groups }) => {
    const specifier = groups?.source ?? groups?.dynamic ?? ''
    const isFile = specifier.startsWith('.')
    const parts = specifier.split('/').slice(0, specifier.startsWith('@') ? 2 : 1)
    return {
      target: isFile ? normalize(join(dirname(path), specifier)) : parts.join('/'),
      isFile,
      kind: groups?.dynamic ? 'dynamic' : groups?.type ? 'type' : 'static',
    }
  })
}

const listFiles = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.generated.ts'))

const readFolders = (...folders: string[]): ReadonlyMap<string, readonly Import[]> =>
  new Map(
    folders
      .flatMap(listFiles)
      .map((path) => [path, readImports(path, readFileSync(join(ROOT, path), 'utf8'))] as const),
  )

/** Every file that the table is about, with what it imports. */
const IMPORTS_OF = readFolders('src', 'server', 'cli/src', 'test/conformance')

const isIn = (path: string, row: string): boolean =>
  path === row || path.startsWith(`${row}/`) || path.replace(/\.tsx?$/, '') === row

const findRow = (path: string): string =>
  Object.keys(TABLE)
    .filter((row) => isIn(path, row))
    .sort((one, other) => other.length - one.length)[0] ?? ''

const nameRow = (name: string): string => (/^(?:cli|src|scripts)\//.test(name) ? name : `src/${name}`)

const matchesPackage = (name: string, allowed: string): boolean =>
  allowed.endsWith('*') ? name.startsWith(allowed.slice(0, -1)) : name === allowed

function mayImport(path: string, { target, isFile }: Import): boolean {
  const row = findRow(path)
  const { rows = '', packages = '' } = TABLE[row] ?? {}
  if (!isFile) return packages.split(' ').some((allowed) => matchesPackage(target, allowed))
  return isIn(target, row) || rows.split(' ').some((name) => name !== '' && isIn(target, nameRow(name)))
}

/** Returns the files that import themselves by way of others. In a browser, loading on demand ends such a circle. */
function findCycles(importsOf: ReadonlyMap<string, readonly Import[]>): string[] {
  const reach = (start: string): Set<string> => {
    const seen = new Set<string>()
    const open = [start]
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      for (const { target, kind } of importsOf.get(path) ?? []) {
        const isIgnored = kind === 'dynamic' && path.startsWith('src/client/')
        if (isIgnored || seen.has(target) || !importsOf.has(target)) continue
        seen.add(target)
        open.push(target)
      }
    }
    return seen
  }
  return [...importsOf.keys()].filter((path) => reach(path).has(path))
}

/** Returns the path of every module and the name of every package that is loaded together with a module. */
function findLoaded(
  entry: string,
  importsOf: ReadonlyMap<string, readonly Import[]> = IMPORTS_OF,
): Set<string> {
  const loaded = new Set<string>([entry])
  for (const path of loaded) {
    for (const { target, kind } of importsOf.get(path) ?? []) if (kind === 'static') loaded.add(target)
  }
  return loaded
}

describe('the table of imports', () => {
  it('has a row for every file', () => {
    expect([...IMPORTS_OF.keys()].filter((path) => findRow(path) === '')).toEqual(['src/secrets.d.ts'])
  })

  it('allows every import', () => {
    const refused = [...IMPORTS_OF].flatMap(([path, imports]) =>
      imports
        .filter((imported) => !mayImport(path, imported))
        .map(({ target }) => `${path} may not import ${target}`),
    )
    expect(refused).toEqual([])
  })

  it.each(Object.keys(TABLE))('refuses a file and a package that %s may not import', (row) => {
    const path = `${row}/planted.ts`
    const plant = (code: string) => readImports(path, code).every((imported) => mayImport(path, imported))
    const up = '../'.repeat(row.split('/').length)
    expect(plant(`import type { Planted } from '${up}scripts/dev.ts'`)).toBe(false)
    expect(plant(`const { planted } = await import('${up}src/index.ts')`)).toBe(row === 'src/index')
    expect(plant("import planted from 'planted'")).toBe(false)
  })

  it('keeps the front ends apart, and the core away from HTTP', () => {
    const refuses = (path: string, target: string) =>
      !mayImport(path, { target, isFile: !/^[a-z]+$/.test(target), kind: 'static' })
    expect(refuses('src/api/documents.ts', 'src/ui/page.tsx')).toBe(true)
    expect(refuses('src/site/home/home.tsx', 'src/api/index.ts')).toBe(true)
    expect(refuses('src/history/history.ts', 'src/site/home/home.tsx')).toBe(true)
    expect(refuses('src/ui/layout.tsx', 'src/history/history.ts')).toBe(true)
    expect(refuses('src/plain-text/index.ts', 'src/site/index.ts')).toBe(true)
    expect(refuses('src/http/limits.ts', 'src/api/index.ts')).toBe(true)
    expect(refuses('src/documents/create.ts', 'src/accounts/user.ts')).toBe(true)
    expect(refuses('src/documents/create.ts', 'src/http/limits.ts')).toBe(true)
    expect(refuses('src/documents/create.ts', 'hono')).toBe(true)
    expect(refuses('src/accounts/user.ts', 'src/documents/document.ts')).toBe(true)
    expect(refuses('src/client/share/share.ts', 'src/documents/document.ts')).toBe(true)
    expect(refuses('src/shared/jwe.ts', 'src/errors.ts')).toBe(true)
  })
})

describe('imports', () => {
  it('form no circle, not even of types, nor by loading on demand', () => {
    expect(findCycles(IMPORTS_OF)).toEqual([])
    const plant = (folder: string, code: string) =>
      new Map([
        [`${folder}/a.ts`, readImports(`${folder}/a.ts`, code)],
        [`${folder}/b.ts`, readImports(`${folder}/b.ts`, "import { a } from './a.ts'")],
      ])
    expect(findCycles(plant('src', "import type { B } from './b.ts'"))).toHaveLength(2)
    expect(findCycles(plant('src', "const load = () => import('./b.ts')"))).toHaveLength(2)
    expect(findCycles(plant('src/client', "const load = () => import('./b.ts')"))).toEqual([])
  })

  it('load on demand only topics, by the table of the app, and what is heavy by itself', () => {
    const start = findLoaded('src/index.ts')
    expect(start.size).toBeGreaterThan(100)
    const onDemand = [...IMPORTS_OF]
      .filter(([path]) => path.startsWith('src/') && !path.startsWith('src/client/'))
      .flatMap(([path, imports]) =>
        imports
          .filter(({ isFile, kind }) => isFile && kind === 'dynamic')
          .map(({ target }) => ({ path, target })),
      )
    expect(onDemand.filter(({ target }) => start.has(target))).toEqual([])
    const elsewhere = onDemand.filter(({ target }) => !target.includes('.lazy.')).map(({ path }) => path)
    expect([...new Set(elsewhere)].sort()).toEqual(['src/app.ts', 'src/index.ts'])
  })

  it('of raw text bring no code for sign-in or email', () => {
    const loaded = [...findLoaded('src/site/documents/raw.ts')]
    expect(loaded).toContain('src/documents/read.ts')
    expect(loaded.filter((path) => /^src\/.*(sign-in|mail)/.test(path))).toEqual([])
  })
})

describe('dependencies', () => {
  it('are what one machine loads, because its container has no others', () => {
    const importsOf = readFolders('src', 'server', 'scripts')
    const commands = ['backup', 'restore', 'recover', 'doctor'].map((name) => `scripts/${name}.ts`)
    const packages = ['server/main.ts', ...commands, ...listFiles('scripts/admin')]
      .flatMap((entry) => [...findLoaded(entry, importsOf)])
      .filter((target) => !importsOf.has(target) && !target.startsWith('node:'))
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    expect(Object.keys(dependencies)).toEqual([...new Set(packages)].sort())
  })
})
