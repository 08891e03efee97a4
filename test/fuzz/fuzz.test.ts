import { expect, it, vi } from 'vitest'
import { createOpenApiDocument } from '../../src/api/openapi/document.ts'
import { listRoutes } from '../../src/app.ts'
import { account, session } from '../support/accounts.ts'
import { ORIGIN, send, withVars } from '../support/client.ts'
import { ROUTES } from './requests.ts'
import { fuzz } from './run.ts'
import { createWorld, type FuzzRequest } from './world.ts'

/** `npm run torture -- fuzz` sends more requests, to a built service. */
const REQUESTS = 2_000
const CONCURRENCY = 8
/** The same in every run, so that a failure can be seen again. */
const SEED = 20261122

const bindings = withVars({ RATE_LIMITS: 'off' })

async function sendFuzz({ method, target, headers, body }: FuzzRequest) {
  // Clients send bytes. The runtime takes only characters, and warns of these.
  if (/[^\0-\x7F]/.test(Object.values(headers).join(''))) return null
  try {
    // Throws for what no client could send.
    new Request(ORIGIN + target, { method, headers })
  } catch {
    return null
  }
  const init = { method, headers, ...(body !== null && { body }), redirect: 'manual' } as const
  const response = await send(target, init, { bindings })
  // A ZIP file isn't text, of which the runtime would warn.
  const text = new TextDecoder().decode(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, text }
}

async function addAccount() {
  const made = await account()
  return { username: made.username, key: made.key, cookie: (await session(made)).Cookie }
}

it('answers whatever anybody sends, without a server error and in the documented shape', async () => {
  for (const method of ['log', 'error'] as const) vi.spyOn(console, method).mockImplementation(() => {})
  const world = await createWorld({ origin: ORIGIN, send: sendFuzz, addAccount })
  const options = {
    api: createOpenApiDocument(),
    world,
    send: sendFuzz,
    requests: REQUESTS,
    seed: SEED,
    concurrency: CONCURRENCY,
  }
  const { statuses, impossible, violations } = await fuzz(options)
  expect(violations).toEqual([])
  // The requests get past the first checks.
  expect(statuses.get(200)).toBeGreaterThan(REQUESTS / 10)
  expect(impossible).toBeLessThan(REQUESTS / 10)
})

it('knows every route', async () => {
  const withoutNames = (path: string) => path.replace(/(?<!^)\/$/, '').replaceAll(/:[^/]+/g, ':')
  const known = new Set(ROUTES.map(({ path }) => withoutNames(path)))
  const served = new Set(
    (await listRoutes()).filter(({ path }) => !path.endsWith('*')).map(({ path }) => withoutNames(path)),
  )
  expect([...served].filter((path) => !known.has(path))).toEqual([])
})
