import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Target } from './bindings.ts'
import { CommandError } from './wrangler.ts'

const TARGET_OPTIONS = {
  remote: { type: 'boolean', default: false },
  'persist-to': { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

type Options = NonNullable<ParseArgsConfig['options']>

/** Parses the arguments of a command that works on a service's storage. It takes options only. */
export function parseCommand<const Own extends Options>(args: readonly string[], own: Own) {
  const { values } = parseArgs({ args: [...args], options: { ...own, ...TARGET_OPTIONS }, strict: true })
  const common: { remote?: boolean; 'persist-to'?: string } = values
  const target: Target = { remote: common.remote ?? false, persistTo: common['persist-to'] ?? null }
  return { values, target }
}

/** Returns an option that the command needs. */
export function requireOption(value: string | undefined, usage: string): string {
  if (value === undefined || value === '') throw new CommandError(`This command needs ${usage}. See --help.`)
  return value
}
