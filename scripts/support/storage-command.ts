import { resolve } from 'node:path'
import type { ParseArgsOptionsConfig } from 'node:util'
import type { Target } from './bindings.ts'
import { CommandError, parseOptions } from './script.ts'

/** The options of every command that works on a service's storage. */
export const TARGET_OPTIONS = {
  remote: { type: 'boolean', default: false },
  'persist-to': { type: 'string' },
  data: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const

export interface TargetValues {
  readonly remote?: boolean
  readonly 'persist-to'?: string
  readonly data?: string
}

/**
 * Returns which service the options choose. Without any, `DATA_DIR` does, as for the server itself, and a line says so.
 *
 * @throws CommandError if they choose two.
 */
export function parseTarget(
  values: TargetValues,
  { DATA_DIR }: { readonly DATA_DIR?: string } = process.env,
): Target {
  const { remote = false, 'persist-to': persistTo, data } = values
  const chosen = [remote || undefined, persistTo, data].filter((value) => value !== undefined)
  if (chosen.length > 1) throw new CommandError('Choose one of --remote, --persist-to DIR and --data DIR.')
  if (data === '') throw new CommandError('--data needs a folder.')
  if (data !== undefined) return { remote, persistTo: null, data: resolve(data) }
  if (chosen.length > 0 || !DATA_DIR) return { remote, persistTo: persistTo ?? null }
  const folder = resolve(DATA_DIR)
  process.stderr.write(`Using the data in ${folder}, because DATA_DIR names it.\n`)
  return { remote, persistTo: null, data: folder }
}

/** Parses the arguments of a command that works on a service's storage. It takes options only. */
export function parseCommand<const Own extends ParseArgsOptionsConfig>(
  help: string,
  own: Own,
  args?: readonly string[],
) {
  const values = parseOptions(help, { ...own, ...TARGET_OPTIONS }, args)
  const common: TargetValues & { json?: boolean } = values
  const print = (result: object, text: string) =>
    process.stdout.write(common.json ? `${JSON.stringify(result)}\n` : `${text}\n`)
  return { values, target: parseTarget(common), print }
}

/** Returns an option that the command needs. */
export function requireOption(value: string | undefined, usage: string): string {
  if (value === undefined || value === '') throw new CommandError(`This command needs ${usage}. See --help.`)
  return value
}
