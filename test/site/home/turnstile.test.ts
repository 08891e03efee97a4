import { describe, expect, it, vi } from 'vitest'
import { account, session } from '../../support/accounts.ts'
import { call, ORIGIN, send, withVars } from '../../support/client.ts'
import { expectFaults } from '../../support/log.ts'

const TURNSTILE_VARS = {
  TURNSTILE_SITE_KEY: '1x00000000000000000000AA',
  TURNSTILE_SECRET: 'a secret of the tests',
  TURNSTILE_VERIFY_URL: 'https://turnstile.example/siteverify',
}

interface SiteVerify {
  /** Returns a token that works once, as the widget does for a person who passes. */
  readonly pass: () => string
  /** Makes the service fail. */
  readonly breakDown: () => void
  /** The bodies of the requests so far. */
  readonly requests: URLSearchParams[]
}

/** Stands in for Cloudflare's siteverify: a token is valid once, for the right secret. */
function standInForTurnstile(): SiteVerify {
  const valid = new Set<string>()
  const requests: URLSearchParams[] = []
  let isBroken = false
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init)
    if (request.url !== TURNSTILE_VARS.TURNSTILE_VERIFY_URL)
      throw new Error(`unexpected request: ${request.url}`)
    if (isBroken) return new Response('down', { status: 500 })
    const fields = new URLSearchParams()
    for (const [name, value] of await request.formData()) fields.set(name, String(value))
    requests.push(fields)
    const success =
      fields.get('secret') === TURNSTILE_VARS.TURNSTILE_SECRET && valid.delete(fields.get('response') ?? '')
    return Response.json({ success, 'error-codes': success ? [] : ['invalid-input-response'] })
  })
  return {
    pass: () => {
      const token = crypto.randomUUID()
      valid.add(token)
      return token
    },
    breakDown: () => {
      isBroken = true
    },
    requests,
  }
}

const bindings = withVars(TURNSTILE_VARS)
const CLOUDFLARE = 'https://challenges.cloudflare.com'

async function getHome(environment = bindings, headers: Record<string, string> = {}) {
  const response = await send(
    '/',
    { headers: { Accept: 'text/html', ...headers } },
    { bindings: environment },
  )
  return { policy: response.headers.get('Content-Security-Policy') ?? '', html: await response.text() }
}

/** Sends the form of the home page, with a token or without. */
async function share(token: string | null, headers: Record<string, string> = {}, content = 'text') {
  const fields = { content, ...(token !== null && { 'cf-turnstile-response': token }) }
  const response = await send(
    '/',
    {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { Origin: ORIGIN, Accept: 'text/html', ...headers },
    },
    { bindings },
  )
  return { status: response.status, html: await response.text() }
}

describe('without Turnstile', () => {
  it('the home page loads nothing from Cloudflare', async () => {
    const { policy, html } = await getHome(withVars({}))
    expect(policy).not.toContain(CLOUDFLARE)
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(html).not.toContain('turnstile')
  })
})

describe('with Turnstile', () => {
  it('the home page has the widget, says what to do without scripts, and allows its script and frame only', async () => {
    const { policy, html } = await getHome()
    expect(html).toContain(`src="${CLOUDFLARE}/turnstile/v0/api.js"`)
    expect(html).toContain(`data-sitekey="${TURNSTILE_VARS.TURNSTILE_SITE_KEY}"`)
    expect(html).toMatch(/<noscript>.*turn on JavaScript/s)
    expect(policy).toContain(`script-src 'self' ${CLOUDFLARE}; frame-src 'self' ${CLOUDFLARE};`)
    expect(policy).not.toContain("'unsafe")
  })

  it('no other page allows anything from Cloudflare, nor does the home page of an account', async () => {
    for (const path of ['/about', '/sign-in']) {
      const response = await send(path, {}, { bindings })
      expect(response.headers.get('Content-Security-Policy')).not.toContain(CLOUDFLARE)
    }
    const { policy, html } = await getHome(bindings, await session(await account()))
    expect(policy).not.toContain(CLOUDFLARE)
    expect(html).not.toContain('turnstile')
  })

  it('a person who passed can share, once per token', async () => {
    const { pass, requests } = standInForTurnstile()
    const token = pass()
    expect((await share(token)).status).toBe(200)
    expect([...(requests[0]?.keys() ?? [])].toSorted()).toEqual(['response', 'secret'])
    const again = await share(token, {}, 'typed with care')
    expect(again.status).toBe(403)
    expect(again.html).toContain('Complete the check that you’re human, then try again.')
    expect(again.html).toContain('typed with care')
    expect(again.html).toContain('cf-turnstile')
  })

  it.each([null, '', 'made up', 'x'.repeat(3_000)])('refuses the token %j', async (token) => {
    standInForTurnstile()
    expect((await share(token)).status).toBe(403)
  })

  it('spends no token on a form that has another problem', async () => {
    const { pass, requests } = standInForTurnstile()
    expect((await share(pass(), {}, '')).status).toBe(400)
    expect(requests).toEqual([])
  })

  it('answers 503 and keeps the text while Cloudflare is down', async () => {
    expectFaults('request failed')
    const { pass, breakDown } = standInForTurnstile()
    breakDown()
    const answer = await share(pass(), {}, 'typed with care')
    expect(answer.status).toBe(503)
    expect(answer.html).toContain('typed with care')
  })

  it('asks no account', async () => {
    const { requests } = standInForTurnstile()
    const own = await account()
    expect((await share(null, await session(own))).status).toBe(303)
    expect((await call('POST', '/v1/document', { content: 'x' }, { key: own.key, bindings })).status).toBe(
      200,
    )
    expect(requests).toEqual([])
  })

  it('refuses programs without a key, and says what to do', async () => {
    const message =
      'Without an account, documents can only be created on the site. Send an API key in the header Authorization'
    const api = await call('POST', '/v1/document', { content: 'x' }, { bindings })
    expect(api).toMatchObject({ status: 401, body: { error: { code: 'unauthorized', message } } })
    const text = await send('/', { method: 'POST', body: 'x' }, { bindings })
    expect({ status: text.status, text: await text.text() }).toEqual({ status: 401, text: `${message}\n` })
  })
})
