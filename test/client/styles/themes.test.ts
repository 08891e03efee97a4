import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { getThemeColors, parseThemeCookie, THEMES } from '../../../src/shared/themes.ts'

const readStyles = (name: string) =>
  readFile(new URL(`../../../src/client/styles/${name}`, import.meta.url), 'utf8')
const [tokens, named, code] = await Promise.all([
  readStyles('tokens.css'),
  readStyles('themes.css'),
  readStyles('code.css'),
])

type Scheme = 'light' | 'dark'
/** Red, green and blue, each from 0 to 1. */
type Colour = readonly [number, number, number]

interface Palette {
  readonly scheme: Scheme
  /** What the stylesheets declare, by the name of the variable. */
  readonly values: ReadonlyMap<string, string>
}

const getValues = (css: string): [string, string][] =>
  [...css.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, name = '', value = '']) => [name, value])

const findRules = (theme: string): string[] =>
  [...named.matchAll(/(\S[^{};]*)\{([^{}]*)\}/g)].flatMap(([, selector = '', rule = '']) =>
    selector.includes(`data-theme="${theme}"`) ? [rule] : [],
  )

const PALETTES: [string, Palette][] = [
  ...(['light', 'dark'] as const).map((scheme): [string, Palette] => [
    scheme,
    { scheme, values: new Map(getValues(tokens)) },
  ]),
  ...THEMES.slice(3).map(({ name, scheme }): [string, Palette] => [
    name,
    { scheme: scheme as Scheme, values: new Map(getValues(tokens + findRules(name).join(''))) },
  ]),
]

const NAMES: Readonly<Record<string, string>> = { white: '#ffffff', black: '#000000' }

/** Computes what browsers make of a value: a colour, a variable, `light-dark()` or `color-mix()`. */
function resolve(value: string, palette: Palette): Colour {
  const [, light, dark] = /^light-dark\((#\w+), (#\w+)\)$/.exec(value) ?? []
  if (light && dark) return resolve(palette.scheme === 'light' ? light : dark, palette)
  const [, name] = /^var\(--([\w-]+)\)$/.exec(value) ?? []
  if (name) return resolve(palette.values.get(name) ?? '', palette)
  const [, over, percent, under] = /^color-mix\(in srgb, (\S+) (\d+)%, (\S+)\)$/.exec(value) ?? []
  if (over && under) {
    const [above, below] = [resolve(over, palette), resolve(under, palette)]
    const mix = (at: 0 | 1 | 2) => below[at] + ((above[at] - below[at]) * Number(percent)) / 100
    return [mix(0), mix(1), mix(2)]
  }
  const hex = NAMES[value] ?? value
  if (!/^#[\da-f]{6}$/.test(hex)) throw new Error(`Not a colour: "${value}"`)
  const read = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16) / 255
  return [read(1), read(3), read(5)]
}

/** Returns the relative luminance of a colour (WCAG 2.2). */
function getLuminance(colour: Colour): number {
  const [red, green, blue] = colour.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  ) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** @param one and `other` are values, such as `var(--ink)`. */
function getContrast(palette: Palette, one: string, other: string): number {
  const [light = 0, dark = 0] = [one, other]
    .map((value) => getLuminance(resolve(value, palette)))
    .sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

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

/** Returns the values of a property of the terminal's colours, over the sheet. */
const getTerminalValues = (property: 'color' | 'background-color'): string[] => [
  ...new Set(
    [...code.matchAll(/((?:\s*&?::highlight\([\w-]+\),?)+) \{\s*([\w-]+): ([^;]+);/g)].flatMap(
      ([, selectors = '', name, value = '']) =>
        selectors.includes('ansi-') && name === property
          ? [value.replace('transparent', 'var(--sheet)')]
          : [],
    ),
  ),
]

describe.each(PALETTES)('the theme %s', (_, palette) => {
  it('has enough contrast for every text (WCAG 2.2, 1.4.3)', () => {
    const poor = PAIRS.map(([text, surface]) => ({
      text,
      surface,
      contrast: Math.round(getContrast(palette, `var(--${text})`, `var(--${surface})`) * 100) / 100,
    })).filter(({ contrast }) => !(contrast >= 4.5))
    expect(poor).toEqual([])
  })

  it('has enough contrast for every colour of a terminal on every background', () => {
    const [texts, surfaces] = [getTerminalValues('color'), getTerminalValues('background-color')]
    expect([texts.length, surfaces.length]).toEqual([14, 7])
    const poor = texts.flatMap((text) =>
      surfaces.filter((surface) => getContrast(palette, text, surface) < 4.5),
    )
    expect(poor).toEqual([])
  })

  it('has enough contrast for the edges of controls (WCAG 2.2, 1.4.11)', () => {
    for (const surface of ['paper', 'sheet'])
      expect(getContrast(palette, 'var(--control-line)', `var(--${surface})`)).toBeGreaterThanOrEqual(3)
  })
})

describe('a named theme', () => {
  it.each(THEMES.slice(3))('has its own page, text and accent: $name', ({ name }) => {
    const own = new Set(getValues(findRules(name).join('')).map(([variable]) => variable))
    expect([...own]).toEqual(expect.arrayContaining(['paper', 'sheet', 'ink', 'muted', 'line', 'accent']))
  })
})

describe('the colour that the browser paints around the page', () => {
  it.each(THEMES)('is the background of the page: $name', ({ name }) => {
    const palettes = PALETTES.filter(([palette]) =>
      name === 'system' ? palette === 'light' || palette === 'dark' : palette === name,
    )
    const toHex = ([, palette]: [string, Palette]) =>
      `#${resolve('var(--paper)', palette)
        .map((part) =>
          Math.round(part * 255)
            .toString(16)
            .padStart(2, '0'),
        )
        .join('')}`
    expect(getThemeColors(name).map(({ content }) => content)).toEqual(palettes.map(toHex))
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
