import { C_FAMILY, COMPILED } from './compiled-features.ts'
import type { Feature } from './feature.ts'
import { FUNCTIONAL, SCRIPTING } from './script-features.ts'
import { DATA, WEB } from './web-features.ts'

export const FEATURES: readonly (readonly [language: string, features: readonly Feature[]])[] =
  Object.entries({
    ...WEB,
    ...SCRIPTING,
    ...C_FAMILY,
    ...COMPILED,
    ...FUNCTIONAL,
    ...DATA,
  })

/** Languages that have everything another language has: their own signs count on top of its. */
const EXTENDED: readonly (readonly [language: string, base: string, minOwnPoints: number])[] = [
  ['typescript', 'javascript', 3],
  ['jsx', 'javascript', 4],
  ['cpp', 'c', 3],
  ['objectivec', 'c', 3],
  ['scss', 'css', 3],
  ['less', 'css', 3],
  ['crystal', 'ruby', 4],
  ['vue', 'html', 5],
  ['svelte', 'html', 5],
]

export interface Score {
  readonly language: string
  readonly points: number
  readonly signs: number
}

/** TSX has no signs of its own: it shows the signs of both JSX and TypeScript. */
const MIN_SIGNS_OF_TSX = 2

/** The same sign counts less each time. */
function addUp(text: string, features: readonly Feature[]): { points: number; signs: number } {
  let points = 0
  let signs = 0
  for (const [weight, pattern] of features) {
    const count = text.match(pattern)?.length ?? 0
    if (count > 0 && weight > 0) signs++
    points += weight * (2 - 2 ** (1 - Math.min(count, 4)))
  }
  return { points, signs }
}

export function scoreLanguages(text: string): Score[] {
  const points = new Map<string, number>()
  const signs = new Map<string, number>()
  for (const [language, features] of FEATURES) {
    const sum = addUp(text, features)
    points.set(language, sum.points)
    signs.set(language, sum.signs)
  }
  const get = (language: string) => points.get(language) ?? 0
  const own = new Map(points)
  for (const [language, base, minOwnPoints] of EXTENDED) {
    const ownPoints = own.get(language) ?? 0
    if (ownPoints >= minOwnPoints) points.set(language, ownPoints + (own.get(base) ?? 0))
    else points.set(language, Math.min(ownPoints, 1))
  }
  if ((own.get('javascript') ?? 0) < 2) points.set('jsx', Math.min(get('jsx'), 2))
  if (get('jsx') > 4 && (own.get('typescript') ?? 0) >= 3)
    points.set('tsx', get('jsx') + (own.get('typescript') ?? 0))
  return [...points]
    .map(([language, total]) => ({ language, points: total, signs: signs.get(language) ?? MIN_SIGNS_OF_TSX }))
    .filter((score) => score.points > 0)
    .sort((a, b) => b.points - a.points)
}
