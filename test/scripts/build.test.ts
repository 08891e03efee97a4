import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { findPackageFolder, formatNotice, isPermissive } from '../../scripts/build/licences.ts'
import { PALETTES } from '../../src/previews/picture/palette.ts'

describe('the licences of bundled packages', () => {
  it.each(['MIT', '(MPL-2.0 OR Apache-2.0)', 'MIT AND ISC'])('may be %s', (licence) => {
    expect(isPermissive(licence)).toBe(true)
  })

  it.each(['', 'GPL-3.0', 'MIT AND GPL-3.0', 'MPL-2.0'])('may not be "%s"', (licence) => {
    expect(isPermissive(licence)).toBe(false)
  })

  it('are found by the file of a package', () => {
    expect(findPackageFolder('node_modules/@scope/name/dist/a.js')).toBe('node_modules/@scope/name')
    expect(findPackageFolder('node_modules/a/node_modules/b/c.js')).toBe('node_modules/a/node_modules/b')
    expect(findPackageFolder('src/index.ts')).toBeNull()
  })

  it('are listed with every package, and each text once', () => {
    const packages = ['one', 'two'].map((name) => ({ name, version: '1.0.0', licence: 'MIT', text: 'Free.' }))
    expect(formatNotice(packages)).toContain('one 1.0.0 (MIT)\ntwo 1.0.0 (MIT)\n\nFree.\n')
  })
})

it('draws pictures in the colours of the site', async () => {
  const css = await readFile('src/client/styles/tokens.css', 'utf8')
  for (const name of Object.keys(PALETTES.light) as (keyof typeof PALETTES.light)[]) {
    const [, light, dark] = new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(css) ?? []
    expect({ name, light: PALETTES.light[name], dark: PALETTES.dark[name] }).toEqual({ name, light, dark })
  }
})
