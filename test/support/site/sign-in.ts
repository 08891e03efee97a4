import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { type Account, account } from '../accounts.ts'
import { captureEmail, getLink } from './email.ts'
import { TestBrowser } from './test-browser.ts'

export const SESSION_COOKIE = '__Host-regent.session_token'

let people = 0

/** An email address and a username that nobody has yet. */
export const createPerson = () => {
  people += 1
  return { email: `person${people}@example.org`, username: `Person-${people}` }
}

export const countUsers = (email: string): Promise<number | null> =>
  env.DB.prepare('SELECT count(*) AS n FROM users WHERE email = ?1').bind(email).first<number>('n')

/** Returns the token of a sign-in link. */
export const getToken = (link: string): string => new URLSearchParams(link.split('?')[1]).get('token') ?? ''

/** Requests an account, and returns the emailed link without opening it. */
export async function requestSignUp() {
  const { bindings, sent } = captureEmail()
  const browser = new TestBrowser(bindings)
  const { email, username } = createPerson()
  const answer = await browser.submit('/sign-up', { email, username })
  expect(answer.status).toBe(200)
  return { bindings, sent, browser, email, username, answer, link: getLink(sent[0]) }
}

/** Creates an account by an emailed link, which signs the browser in. */
export async function signUp() {
  const requested = await requestSignUp()
  const opened = await requested.browser.open(requested.link)
  expect(opened.status).toBe(303)
  return { ...requested, opened }
}

/** Signs a browser in to an account. `sent` collects the emails sent to anyone from then on. */
export async function signInBrowser(existing?: Account) {
  const own = existing ?? (await account())
  const { bindings, sent } = captureEmail()
  const browser = new TestBrowser(bindings)
  await browser.submit('/sign-in', { email: own.email })
  await browser.open(getLink(sent.shift()))
  return { own, browser, sent, bindings }
}
