import { readFileSync } from 'node:fs'
import { createRandom, KNOWN_SECRETS, ORDINARY, OTHER_SECRETS, PERSONAL } from './shapes.ts'

/** Somebody would want to know of these values. */
interface Expected {
  readonly from: number
  readonly to: number
  readonly group: 'known' | 'other' | 'personal'
}

interface Sample {
  readonly text: string
  readonly expected: readonly Expected[]
}

const GROUPS = [
  ['known', KNOWN_SECRETS],
  ['other', OTHER_SECRETS],
  ['personal', PERSONAL],
] as const

const LITERAL = 'literal'

/** `{{name}}` is a value to find, `{{=value}}` as well, and `[[name]]` an ordinary one. */
const PLACEHOLDER = /\{\{(?:=(?<literal>[^}]+)|(?<name>[a-z0-9-]+))\}\}|\[\[(?<ordinary>[a-z0-9-]+)\]\]/g

function fill(template: string, random: () => number): Sample {
  const expected: Expected[] = []
  let text = ''
  let end = 0
  for (const match of template.matchAll(PLACEHOLDER)) {
    const { name = LITERAL, literal, ordinary } = match.groups ?? {}
    text += template.slice(end, match.index)
    end = match.index + match[0].length
    if (ordinary !== undefined) {
      text += ORDINARY[ordinary]?.(random) ?? match[0]
      continue
    }
    const [group, shapes] = GROUPS.find(([, shapes]) => name in shapes) ?? ['other', {}]
    const value = literal ?? shapes[name]?.(random)
    if (value === undefined) throw new Error(`no shape ${name}`)
    expected.push({ from: text.length, to: text.length + value.length, group })
    text += value
  }
  return { text: text + template.slice(end), expected }
}

function readSamples(name: string): Sample[] {
  const file = readFileSync(`test/shared/scan/corpus/${name}.txt`, 'utf8')
  const random = createRandom(name.length)
  return file
    .split(/^%%%%\n/m)
    .slice(1)
    .map((template) => fill(template.slice(0, -1), random))
}

/** Nobody looks at the samples that are held out while improving the scanner. */
export type Part = 'tuning' | 'held-out'

export const readFindings = (part: Part): Sample[] => readSamples(`findings-${part}`)

export const readOrdinary = (part: Part): string[] => readSamples(`ordinary-${part}`).map(({ text }) => text)
