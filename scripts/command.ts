import type { Target } from './database.ts'
import { CommandError } from './wrangler.ts'

/** What every command on a database can be told. */
export const COMMON_OPTIONS = {
  remote: { type: 'boolean', default: false },
  'persist-to': { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

interface CommonValues {
  readonly remote: boolean
  readonly 'persist-to'?: string | undefined
  readonly json: boolean
}

/** Where a command acts. */
export const targetOf = ({ remote, 'persist-to': persistTo }: CommonValues): Target => ({
  remote,
  persistTo: persistTo ?? null,
})

/** Says what a command did: in words, or as one JSON object and nothing else. */
export const sayAs =
  ({ json }: CommonValues) =>
  (result: object, words: string) =>
    process.stdout.write(`${json ? JSON.stringify(result) : words}\n`)

/** The one thing that a command takes. Throws a CommandError of these words for none, and for several. */
export function onlyOf(operands: readonly string[], words: string): string {
  const [only] = operands
  if (only === undefined || operands.length !== 1) throw new CommandError(words)
  return only
}
