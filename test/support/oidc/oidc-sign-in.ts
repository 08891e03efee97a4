import { expect, inject } from 'vitest'
import { ORIGIN, withVars } from '../client.ts'
import { captureEmail } from '../site/email.ts'
import type { TestBrowser } from '../site/test-browser.ts'
import type { CLIENTS, Person } from './people.ts'

export const issuer = inject('oidcIssuer')

const getVars = (client: (typeof CLIENTS)[number]) => ({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: client,
  OIDC_CLIENT_SECRET: inject('oidcSecret'),
  OIDC_NAME: 'Acme ID',
})

/** Returns the bindings of a site where people sign in with the provider. */
export const withProvider = (
  vars: Record<string, string> = {},
  client: (typeof CLIENTS)[number] = 'regent',
): Env => withVars({ ...getVars(client), ...vars })

/** Like `captureEmail`, with the provider. */
export const captureEmailWithProvider = (vars: Record<string, string> = {}) =>
  captureEmail({ ...getVars('regent'), ...vars })

/** Returns somebody whom no other test knows. */
export function createPerson(more: Partial<Person> = {}): Person & { readonly email: string } {
  const name = `ada-${crypto.randomUUID().slice(0, 8)}`
  return {
    sub: `sub ${name}`,
    email: `${name}@acme.example`,
    email_verified: true,
    preferred_username: name,
    ...more,
  }
}

/** Presses the button, and returns the address that the page leads on to. */
export async function startSignIn(
  browser: TestBrowser,
  fields: Record<string, string> = {},
  path = '/sign-in/oidc',
): Promise<URL> {
  const answer = await browser.submit(path, fields)
  expect(answer.status).toBe(200)
  return new URL(/^0;url=(.+)$/.exec(answer.headers.get('Refresh') ?? '')?.[1] ?? '')
}

/** Signs in at the provider, and returns the path that it redirects back to. */
export async function authorize(address: URL, person: Person | 'declines'): Promise<string> {
  const cookies = new Map<string, string>()
  let url = new URL(address)
  url.searchParams.set('login_hint', JSON.stringify(person))
  while (url.origin !== ORIGIN) {
    const headers = { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
    const answer = await fetch(url, { redirect: 'manual', headers })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    const location = answer.headers.get('Location')
    if (location === null) throw new Error(`${url.pathname}: ${answer.status} ${await answer.text()}`)
    url = new URL(location, url)
  }
  return url.pathname + url.search
}

/** Goes through all of it, and returns the answer to the way back. */
export const signInWithProvider = async (
  browser: TestBrowser,
  person: Person | 'declines',
  fields: Record<string, string> = {},
): Promise<Response> => browser.open(await authorize(await startSignIn(browser, fields), person))
