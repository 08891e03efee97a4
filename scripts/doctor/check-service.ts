import { isLocal, isLoopback } from '../../src/platform/addresses.ts'
import { advice, type Finding, ok, problem } from './check-config.ts'

const TIMEOUT_MS = 10_000

interface HealthBody {
  readonly configuration: { readonly status: string }
  readonly d1: { readonly status: string; readonly duration_ms: number }
  readonly kv: { readonly status: string; readonly duration_ms: number }
  readonly schema: {
    readonly status: string
    readonly latest_migration: string | null
    readonly missing_migrations: readonly string[]
  }
  readonly cleanup: { readonly status: string; readonly age_seconds: number | null }
  /** Earlier releases don't have it. */
  readonly contents?: { readonly missing: number | null }
}

const isHealth = (body: unknown): body is HealthBody =>
  typeof body === 'object' &&
  body !== null &&
  ['configuration', 'd1', 'kv', 'schema', 'cleanup'].every((name) => Object.hasOwn(body, name))

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function checkStorage(name: string, binding: string, check: HealthBody['d1']): Finding {
  if (check.status === 'ok') return ok(`${name}: answers in ${check.duration_ms} ms`)
  const fix = `Check the binding ${binding} in regent.toml, and https://www.cloudflarestatus.com. The log has the cause.`
  return problem(`${name} doesn't work.`, fix)
}

function checkSchema({ status, latest_migration, missing_migrations }: HealthBody['schema']): Finding {
  if (status === 'ok') return ok(`Schema: ${latest_migration}`)
  if (status === 'unknown') return problem("The schema couldn't be read.", 'Fix D1 first.')
  return problem(
    `The schema is older than the code. Missing: ${missing_migrations.join(', ')}`,
    'Run npm run deploy, which applies migrations. Locally: npm run dev.',
  )
}

function checkCleanup({ status, age_seconds: age }: HealthBody['cleanup']): Finding {
  switch (status) {
    case 'ok':
      return ok(age === null ? "Cleanup: hasn't run yet" : `Cleanup: ran ${age} seconds ago`)
    case 'paused':
      return advice(
        'The server is read-only, and its scheduled jobs pause.',
        'Set SERVER_MODE = "normal" after the maintenance.',
      )
    case 'late':
      return problem(
        age === null ? 'Cleanup has never run.' : `Cleanup last ran ${Math.floor(age / 60)} minutes ago.`,
        "Check the Worker's cron triggers in Cloudflare's dashboard, and crons in regent.toml.",
      )
    case 'refused':
      return problem(
        'Cleanup refuses to delete: the database does not seem to fit the content in KV.',
        'See docs/recovery.md before you do anything else.',
      )
    case 'failed':
      return problem('The last cleanup failed.', 'Its cause is in the log.')
    default:
      return problem("The last cleanup couldn't be read.", 'Fix D1 and the schema first.')
  }
}

function checkContents({ missing }: { readonly missing: number | null }, base: string): Finding {
  if (missing === null)
    return problem("What content is missing couldn't be read.", 'Fix D1 and the schema first.')
  if (missing === 0) return ok('Contents: no document misses its content')
  return problem(
    `KV has lost content of documents or revisions (${missing} known), so reading them answers 503.`,
    `Check the binding CONTENTS in regent.toml, and run npm run admin -- cleanup --dry-run${isLocal(base) ? '' : ' --remote'}. See docs/recovery.md.`,
  )
}

function checkHealth(body: HealthBody, base: string): Finding[] {
  return [
    ...(body.configuration.status === 'ok'
      ? []
      : [
          problem(
            'A variable is invalid, so every request fails.',
            'The log names it. So does npm run doctor, where it is in regent.toml.',
          ),
        ]),
    checkStorage('D1', 'DB', body.d1),
    checkStorage('KV', 'CONTENTS', body.kv),
    checkSchema(body.schema),
    checkCleanup(body.cleanup),
    ...(body.contents ? [checkContents(body.contents, base)] : []),
  ]
}

/** Checks that the site's links lead to the address that the doctor was given. */
async function checkSiteUrl(base: string): Promise<Finding[]> {
  const response = await fetch(`${base}/v1`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  const body = parse(await response.text())
  const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : null
  const link =
    typeof data === 'object' && data !== null && 'documentation' in data ? data.documentation : null
  if (typeof link !== 'string') return [problem(`${base}/v1 answers ${response.status}.`, 'See the log.')]
  const site = new URL(link).origin
  const findings =
    site === base
      ? [ok(`Links: lead to ${site}`)]
      : [problem(`Links lead to ${site}, not to ${base}.`, 'Set SITE_URL to the address that people use.')]
  const cached = /^(HIT|STALE|UPDATING|REVALIDATED)$/i.test(response.headers.get('CF-Cache-Status') ?? '')
  if (!cached) return findings
  return [
    ...findings,
    problem('A cache is in front of the Worker.', "Turn off Cloudflare's cache for the site."),
  ]
}

/** Checks a running service by its address. */
export async function checkService(address: string): Promise<Finding[]> {
  const base = address.replace(/\/+$/, '')
  const secure = base.startsWith('https://') || isLoopback(base)
  const insecure = secure
    ? []
    : [problem(`${base} is not https.`, 'Browsers keep no sessions without https.')]
  try {
    const response = await fetch(`${base}/health`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    const body = parse(await response.text())
    if (!isHealth(body)) {
      const fix = 'Is it the address of Regent, and is it deployed? Older versions have no /health.'
      return [...insecure, problem(`${base}/health answers ${response.status}, without a report.`, fix)]
    }
    const broken = body.configuration.status !== 'ok'
    return [...insecure, ...checkHealth(body, base), ...(broken ? [] : await checkSiteUrl(base))]
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const reason = cause instanceof Error ? cause.message : String(cause)
    return [...insecure, problem(`${base} doesn't answer: ${reason}`, 'Check the address and the domain.')]
  }
}

export const SKIPPED_SERVICE = advice(
  "The running service wasn't checked.",
  'Add --url with its address, such as --url https://paste.example.org.',
)
