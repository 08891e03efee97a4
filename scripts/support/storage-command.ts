import type { ParseArgsOptionsConfig } from 'node:util'
import type { Target } from './bindings.ts'
import { parseOptions } from './script.ts'
import { CommandError } from './wrangler.ts'

const TARGET_OPTIONS = {
  remote: { type: 'boolean', default: false },
  'persist-to': { type: 'string' },
  json: { type: 'boolean', default: false },
} as const

/** Parses the arguments of a command that works on a service's storage. It takes options only. */
export function parseCommand<const Own extends ParseArgsOptionsConfig>(
  help: string,
  own: Own,
  args?: readonly string[],
) {
  const values = parseOptions(help, { ...own, ...TARGET_OPTIONS }, args)
  const common: { remote?: boolean; 'persist-to'?: string; json?: boolean } = values
  const target: Target = { remote: common.remote ?? false, persistTo: common['persist-to'] ?? null }
  const print = (result: object, text: string) =>
    process.stdout.write(common.json ? `${JSON.stringify(result)}\n` : `${text}\n`)
  return { values, target, print }
}

/** Returns an option that the command needs. */
export function requireOption(value: string | undefined, usage: string): string {
  if (value === undefined || value === '') throw new CommandError(`This command needs ${usage}. See --help.`)
  return value
}
