import { type Account, account } from '../accounts.ts'
import { captureEmail, getLink } from './email.ts'
import { TestBrowser } from './test-browser.ts'

/** Signs a browser in to an account. `sent` collects the emails sent to anyone from then on. */
export async function signInBrowser(existing?: Account) {
  const own = existing ?? (await account())
  const { bindings, sent } = captureEmail()
  const browser = new TestBrowser(bindings)
  await browser.submit('/sign-in', { email: own.email })
  await browser.open(getLink(sent.shift()))
  return { own, browser, sent, bindings }
}
