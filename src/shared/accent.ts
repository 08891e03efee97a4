/** The colours that follow from an accent, by their names in tokens.css, in one scheme. */
export interface AccentColours {
  readonly accent: string
  readonly 'accent-hover': string
  readonly 'on-accent': string
  readonly tint: string
  readonly selection: string
}

type Rgb = readonly [red: number, green: number, blue: number]

/** WCAG 2.2, success criterion 1.4.3, for text. */
export const MIN_CONTRAST = 4.5
/** The contrast on a dark page. A bright text needs more than on a light one to be read as easily. */
const DARK_CONTRAST = 7

const WHITE: Rgb = [255, 255, 255]
const BLACK: Rgb = [0, 0, 0]
/** `--sunken` in light and `--raised` in dark: the surfaces on which an accent stands out least. */
const LIGHT_SURFACE: Rgb = [238, 240, 236]
const DARK_SURFACE: Rgb = [29, 37, 35]
/** `--paper` in dark, which dark tints are mixed into. */
const DARK_PAPER: Rgb = [15, 20, 19]

const parseHex = (hex: string): Rgb => {
  const number = Number.parseInt(hex.slice(1), 16)
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255]
}

const toHex = (colour: Rgb): string =>
  `#${colour.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`

/** @param share of the second colour. */
const mix = ([r1, g1, b1]: Rgb, [r2, g2, b2]: Rgb, share: number): Rgb => [
  Math.round(r1 + (r2 - r1) * share),
  Math.round(g1 + (g2 - g1) * share),
  Math.round(b1 + (b2 - b1) * share),
]

/** Returns the relative luminance, as WCAG 2.2 defines it. */
function getLuminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function getContrast(one: Rgb, other: Rgb): number {
  const [high = 0, low = 0] = [getLuminance(one), getLuminance(other)].sort((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

/** Returns how well text in the colour stands out on the light pages' surfaces and tints. */
export function getLightContrast(hex: string): number {
  const accent = parseHex(hex)
  return Math.min(getContrast(accent, LIGHT_SURFACE), getContrast(accent, mix(accent, WHITE, 0.9)))
}

/** @param hex such as `#0f6a51`. Dark pages get a lighter shade of it. */
export function deriveAccent(hex: string): { readonly light: AccentColours; readonly dark: AccentColours } {
  const light = parseHex(hex)
  // As bright as its hue gets, since a dark colour mixed with white alone would be grey.
  const vivid = mix(BLACK, light, 220 / Math.max(...light, 1))
  let dark = light
  for (let share = 0.3; getContrast(dark, DARK_SURFACE) < DARK_CONTRAST; share += 0.02)
    dark = mix(vivid, WHITE, share)
  return {
    light: {
      accent: toHex(light),
      'accent-hover': toHex(mix(light, BLACK, 0.2)),
      'on-accent': toHex(WHITE),
      tint: toHex(mix(light, WHITE, 0.9)),
      selection: toHex(mix(light, WHITE, 0.78)),
    },
    dark: {
      accent: toHex(dark),
      'accent-hover': toHex(mix(dark, WHITE, 0.25)),
      'on-accent': toHex(mix(light, BLACK, 0.85)),
      tint: toHex(mix(DARK_PAPER, dark, 0.18)),
      selection: toHex(mix(DARK_PAPER, dark, 0.35)),
    },
  }
}
