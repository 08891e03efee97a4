import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AccentColours, deriveAccent, getLightContrast, MIN_CONTRAST } from '../../src/shared/accent.ts'

const toRgb = (hex: string): number[] =>
  [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16))

function getLuminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = toRgb(hex)
    .map((channel) => channel / 255)
    .map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function getContrast(one: string, other: string): number {
  const [high = 0, low = 0] = [getLuminance(one), getLuminance(other)].sort((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

/** The surfaces and the ink of tokens.css. */
const SCHEMES = {
  light: { surfaces: ['#eef0ec', '#f6f7f5', '#ffffff'], ink: '#16201d' },
  dark: { surfaces: ['#0a0e0d', '#0f1413', '#161c1b', '#1d2523'], ink: '#e4e9e6' },
} as const

const colours = fc
  .integer({ min: 0, max: 0xffffff })
  .map((number) => `#${number.toString(16).padStart(6, '0')}`)

describe('an accent', () => {
  it('can be read wherever pages show it, if it is dark enough for light pages', () => {
    fc.assert(
      fc.property(colours, (hex) => {
        fc.pre(getLightContrast(hex) >= MIN_CONTRAST)
        const accent = deriveAccent(hex)
        for (const [scheme, { surfaces, ink }] of Object.entries(SCHEMES)) {
          const derived: AccentColours = accent[scheme as keyof typeof SCHEMES]
          const pairs = [
            ...[...surfaces, derived.tint].flatMap((surface) => [
              [derived.accent, surface],
              [derived['accent-hover'], surface],
            ]),
            [derived['on-accent'], derived.accent],
            [derived['on-accent'], derived['accent-hover']],
            [ink, derived.tint],
            [ink, derived.selection],
          ] as const
          for (const [text, ground] of pairs)
            expect(
              getContrast(text ?? '', ground ?? ''),
              `${hex}: ${text} on ${ground}`,
            ).toBeGreaterThanOrEqual(MIN_CONTRAST)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('is refused by its contrast on light pages', () => {
    expect(getLightContrast('#0f6a51')).toBeGreaterThan(MIN_CONTRAST)
    expect(getLightContrast('#c2410c')).toBeLessThan(MIN_CONTRAST)
    expect(getLightContrast('#ffffff')).toBeLessThan(1.2)
  })
})
