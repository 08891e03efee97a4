import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { getThemeColors, parseThemeCookie, THEMES } from '../../../src/shared/themes.ts'

const readStyles = (name: string) =>
  readFile(new URL(`../../../src/client/styles/${name}`, import.meta.url), 'utf8')
const [tokens, named] = await Promise.all([readStyles('base/tokens.css'), readStyles('base/themes.css')])

type Colours = Readonly<Record<string, string>>

/** Returns the colours that rules declare. From a light and a dark colour, it picks the scheme's. */
const getColours = (css: string, scheme: 'light' | 'dark'): Colours =>
  Object.fromEntries(
    [...css.matchAll(/--([\w-]+): (?:light-dark\((#\w{6}), (#\w{6})\)|(#\w{6}));/g)].map(
      ([, name, light, dark, both]) => [name, both ?? (scheme === 'light' ? light : dark)],
    ),
  )

const getNamedColours = (theme: string): Colours =>
  getColours(new RegExp(`data-theme="${theme}"\\] \\{([^}]*)\\}`).exec(named)?.[1] ?? '', 'light')

/** Returns the relative luminance of a colour (WCAG 2.2). */
function getLuminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function getContrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [getLuminance(one), getLuminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

const PALETTES: [string, Colours][] = [
  ['light', getColours(tokens, 'light')],
  ['dark', getColours(tokens, 'dark')],
  ...THEMES.slice(3).map(({ name }): [string, Colours] => [name, getNamedColours(name)]),
]

/** Text and what it is on. */
const PAIRS: [string, string][] = [
  ...['paper', 'sheet', 'raised', 'sunken'].flatMap((surface): [string, string][] => [
    ['ink', surface],
    ['muted', surface],
    ['accent', surface],
  ]),
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
  ['ink', 'tint'],
  ['accent', 'tint'],
  ['ink', 'warm'],
  ['ink', 'selection'],
  ['danger', 'sheet'],
  ['danger', 'paper'],
  ['danger', 'alarm'],
  ...'comment keyword string number type name definition tag meta'
    .split(' ')
    .flatMap((token): [string, string][] => [
      [`code-${token}`, 'sheet'],
      [`code-${token}`, 'paper'],
    ]),
]

describe.each(PALETTES)('the theme %s', (_, colours) => {
  it('has every colour', () => {
    expect(Object.keys(colours)).toEqual(Object.keys(getColours(tokens, 'light')))
  })

  it('has enough contrast for every text (WCAG 2.2, 1.4.3)', () => {
    const poor = PAIRS.map(([text, surface]) => ({
      text,
      surface,
      contrast: Math.round(getContrast(colours[text] ?? '', colours[surface] ?? '') * 100) / 100,
    })).filter(({ contrast }) => !(contrast >= 4.5))
    expect(poor).toEqual([])
  })

  it('has enough contrast for the edges of controls (WCAG 2.2, 1.4.11)', () => {
    for (const surface of ['paper', 'sheet'])
      expect(getContrast(colours['control-line'] ?? '', colours[surface] ?? '')).toBeGreaterThanOrEqual(3)
  })
})

describe('the colour that the browser paints around the page', () => {
  it.each(THEMES)('is the background of the page: $name', ({ name }) => {
    const palettes = PALETTES.filter(([palette]) =>
      name === 'system' ? palette === 'light' || palette === 'dark' : palette === name,
    )
    expect(getThemeColors(name).map(({ content }) => content)).toEqual(palettes.map(([, { paper }]) => paper))
  })
})

describe('the theme cookie', () => {
  it.each([
    ['theme=dark', 'dark'],
    ['a=b; theme=light; c=d', 'light'],
    ['theme=contrast', 'contrast'],
    ['', 'system'],
    ['theme=', 'system'],
    ['theme=pink', 'system'],
    ['theme=dark2', 'system'],
    ['my-theme=dark', 'system'],
  ])('%j chooses %s', (cookies, theme) => {
    expect(parseThemeCookie(cookies)).toBe(theme)
  })
})
