import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { PALETTES } from '../../src/previews/picture/palette.ts'

it('draws pictures in the colours of the site', async () => {
  const css = await readFile('src/client/styles/base/tokens.css', 'utf8')
  for (const name of Object.keys(PALETTES.light) as (keyof typeof PALETTES.light)[]) {
    const [, light, dark] = new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(css) ?? []
    expect({ name, light: PALETTES.light[name], dark: PALETTES.dark[name] }).toEqual({ name, light, dark })
  }
})
