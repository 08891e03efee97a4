import { type AppContext, getConfig } from '../env.ts'
import { dataSecurityHeaders } from '../platform/security-headers.ts'
import { type Health, recentHealth } from './recent-health.ts'

/** Returns true if the variables are valid. Without that, the service answers nothing else. */
function isConfigured(env: Env): boolean {
  try {
    getConfig(env)
    return true
  } catch {
    return false
  }
}

const ADVICE =
  'Check the binding CONTENTS in regent.toml, and run npm run cleanup -- --dry-run --remote. See docs/recovery.md.'

const toBody = ({ status, checkedAt, d1, kv, schema, cleanup, contents }: Health, configured: boolean) => ({
  status: configured ? status : 'failing',
  checked_at: new Date(checkedAt).toISOString(),
  configuration: { status: configured ? 'ok' : 'invalid' },
  d1: { status: d1.status, duration_ms: d1.durationMs },
  kv: { status: kv.status, duration_ms: kv.durationMs },
  schema: { status: schema.status, latest_migration: schema.latest, missing_migrations: schema.missing },
  cleanup: {
    status: cleanup.status,
    finished_at: cleanup.finishedAt === null ? null : new Date(cleanup.finishedAt).toISOString(),
    age_seconds: cleanup.ageSeconds,
  },
  contents: { ...contents, ...(contents.missing && { advice: ADVICE }) },
})

/**
 * Answers 200 if everything works, or else 503. Also answers 200 if single documents have lost their content: a monitor
 * that had to alert until an operator has dealt with them would hide everything else meanwhile.
 */
const getStatus = ({ status, contents }: ReturnType<typeof toBody>): number =>
  status === 'ok' || (status === 'degraded' && contents.status === 'incomplete') ? 200 : 503

/** Answers with the state of the service. Says nothing that an attacker could use. */
export async function answerHealth(c: AppContext): Promise<Response> {
  const requestId = crypto.randomUUID()
  const health = await recentHealth(c.env, requestId)
  const body = toBody(health, isConfigured(c.env))
  return new Response(`${JSON.stringify(body, null, 2)}\n`, {
    status: getStatus(body),
    headers: {
      ...dataSecurityHeaders(c.req.url),
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-Request-Id': requestId,
      'X-Robots-Tag': 'noindex',
    },
  })
}
