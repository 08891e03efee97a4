import { parseArgs } from 'node:util'
import type { Target } from '../test/conformance/support/target.ts'
import { CommandError, ROOT, runScript } from './support/wrangler.ts'

const HELP = `Checks over HTTP that a running server implements the API.

Usage: npm run conformance -- --url URL [options] [file…]

  --url URL                    the address of the server
  --key KEY                    the API key of a confirmed account
  --second-key KEY             the API key of another confirmed account
  --unconfirmed-key KEY        the API key of an account that isn't confirmed
  --disposable-key KEY         an API key that the run may replace: it stops working
  --slow                       also check clauses that take over a minute, such as expiry
  --only TEXT                  check only clauses whose id or text contains TEXT
  --help                       show this help

If the server doesn't have the default configuration:

  --legacy-clients             LEGACY_CLIENTS is "on"
  --anonymous-settings VALUE   ANONYMOUS_SETTINGS: refuse, ignore-cosmetic or allow
  --no-anonymous-documents     ANONYMOUS_DOCUMENTS is "refuse"
  --max-content-bytes N        MAX_CONTENT_BYTES (default 10485760)

The run creates documents and deletes them again. If the server limits the rate of requests, the run waits. At the
end, it lists the clauses that it couldn't check, and why. The exit code is 1 if a clause fails. "file" is part of
the name of a file in test/conformance, such as "burn".
`

const ANONYMOUS_SETTINGS = ['refuse', 'ignore-cosmetic', 'allow'] as const
const DEFAULT_MAX_CONTENT_BYTES = 10 * 1024 * 1024

function parseUrl(url: string | undefined): string {
  if (url === undefined) throw new CommandError('--url is missing. See: npm run conformance -- --help')
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new CommandError(`--url needs an address such as https://paste.example.org, not "${url}".`)
  }
  return url.replace(/\/+$/, '')
}

function parseAnonymousSettings(value: string | undefined, legacyClients: boolean) {
  const found = ANONYMOUS_SETTINGS.find((known) => known === (value ?? 'refuse'))
  if (!found) throw new CommandError(`--anonymous-settings needs one of ${ANONYMOUS_SETTINGS.join(', ')}.`)
  // With LEGACY_CLIENTS, the server is at least this forgiving.
  return legacyClients && found === 'refuse' ? 'ignore-cosmetic' : found
}

function parseBytes(value: string | undefined): number {
  const bytes = Number(value ?? DEFAULT_MAX_CONTENT_BYTES)
  if (!Number.isInteger(bytes) || bytes < 1)
    throw new CommandError('--max-content-bytes needs a whole number.')
  return bytes
}

interface Run {
  readonly target: Target
  readonly files: string[]
  readonly only: string
}

/** Parses the arguments. Returns null for --help. Throws a CommandError if they're invalid. */
export function parseRun(args: readonly string[]): Run | null {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      url: { type: 'string' },
      key: { type: 'string', default: '' },
      'second-key': { type: 'string', default: '' },
      'unconfirmed-key': { type: 'string', default: '' },
      'disposable-key': { type: 'string', default: '' },
      slow: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      'legacy-clients': { type: 'boolean', default: false },
      'anonymous-settings': { type: 'string' },
      'no-anonymous-documents': { type: 'boolean', default: false },
      'max-content-bytes': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  return {
    files: positionals,
    only: values.only,
    target: {
      url: parseUrl(values.url),
      key: values.key,
      secondKey: values['second-key'],
      unconfirmedKey: values['unconfirmed-key'],
      disposableKey: values['disposable-key'],
      slow: values.slow,
      legacyClients: values['legacy-clients'],
      anonymousSettings: parseAnonymousSettings(values['anonymous-settings'], values['legacy-clients']),
      anonymousDocuments: !values['no-anonymous-documents'],
      maxContentBytes: parseBytes(values['max-content-bytes']),
    },
  }
}

/** Throws a CommandError if the server doesn't answer, so that not every clause fails. */
async function requireServer({ url }: Target): Promise<void> {
  const answer = await fetch(`${url}/v1`, { signal: AbortSignal.timeout(15_000) }).catch(() => null)
  if (!answer) throw new CommandError(`${url} doesn't answer.`)
  await answer.body?.cancel()
}

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

async function main(): Promise<void> {
  const run = parseRun(process.argv.slice(2))
  if (!run) {
    process.stdout.write(HELP)
    return
  }
  const { target, files, only } = run
  await requireServer(target)
  // Loading Vitest takes a second, so check the arguments first.
  const [{ startVitest }, { ClauseReporter, describeDuration }] = await Promise.all([
    import('vitest/node'),
    import('../test/conformance/support/reporter.ts'),
  ])
  const print = (text: string) => process.stdout.write(text)
  if (files.length === 0 && only === '') print(`${describeDuration(target)}\n\n`)
  const vitest = await startVitest('test', files, {
    root: ROOT,
    config: `${ROOT}test/conformance/vitest.config.ts`,
    watch: false,
    provide: { conformance: target },
    reporters: [new ClauseReporter(target.url, print)],
    ...(only !== '' && { testNamePattern: new RegExp(escapePattern(only), 'i') }),
  })
  await vitest.close()
}

if (import.meta.main) await runScript(main)
