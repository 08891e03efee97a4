import { parseArgs } from 'node:util'
import type { Plan } from '../../src/config.ts'
import { CommandError } from '../support/script.ts'

const OWN_OPTIONS = {
  site: { type: 'string' },
  admin: { type: 'string' },
  email: { type: 'string' },
  plan: { type: 'string' },
  'no-questions': { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  'no-check': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

export interface DeployOptions {
  readonly help: boolean
  readonly dryRun: boolean
  readonly questions: boolean
  /** Whether the deployed service is asked how it is. */
  readonly check: boolean
  /** The address of the site, such as `https://paste.example.org`; null to ask or to keep it as it is. */
  readonly site: string | null
  /** The Workers plan; null to ask or to keep it as it is. */
  readonly plan: Plan | null
  /** The first account; null to ask. */
  readonly admin: { readonly username: string; readonly email: string } | null
  /** Options for "wrangler deploy". */
  readonly others: readonly string[]
}

/** Returns a site's address without a path, from what a person may write. Throws a CommandError if it isn't one. */
export function parseSite(text: string): string {
  const address = text.includes('://') ? text : `https://${text}`
  const url = URL.canParse(address) ? new URL(address) : null
  if (url?.protocol !== 'https:' || !url.hostname.includes('.') || url.pathname !== '/') {
    throw new CommandError(`Not an address of a site: ${text}. Use one like https://paste.example.org`)
  }
  return url.origin
}

/** Returns a plan by its name. Throws a CommandError if there is no such plan. */
export function parsePlan(text: string): Plan {
  if (text === 'free' || text === 'paid') return text
  throw new CommandError(`Not a plan: ${text}. Use free or paid.`)
}

/** Parses the options of `npm run deploy`. Throws a CommandError if they don't fit together. */
export function parseDeployOptions(args: readonly string[]): DeployOptions {
  const { values, tokens } = parseArgs({ args: [...args], strict: false, tokens: true, options: OWN_OPTIONS })
  const own = new Set(
    tokens.flatMap((token) => {
      if (token.kind !== 'option' || !Object.hasOwn(OWN_OPTIONS, token.name)) return []
      return token.value === undefined || token.inlineValue ? [token.index] : [token.index, token.index + 1]
    }),
  )
  const { site, admin, email, plan } = values
  for (const [name, value] of Object.entries({ site, admin, email, plan })) {
    if (value === true) throw new CommandError(`--${name} needs a value. See: npm run deploy -- --help`)
  }
  if ((admin === undefined) !== (email === undefined)) {
    throw new CommandError('--admin and --email belong together: the first account needs both.')
  }
  return {
    help: values.help === true,
    dryRun: values['dry-run'] === true,
    questions: values['no-questions'] !== true,
    check: values['no-check'] !== true,
    plan: plan === undefined ? null : parsePlan(String(plan)),
    site: site === undefined ? null : parseSite(String(site)),
    admin: admin === undefined ? null : { username: String(admin), email: String(email) },
    others: args.filter((_, index) => !own.has(index)),
  }
}
