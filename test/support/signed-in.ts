import { type Account, account } from './accounts.ts'
import { captureEmail, getLink } from './email.ts'
import { Visitor } from './visitor.ts'

/** Signs a browser in to an account. `sent` collects the emails sent to anyone from then on. */
export async function signInVisitor(existing?: Account) {
  const own = existing ?? (await account())
  const { bindings, sent } = captureEmail()
  const visitor = new Visitor(bindings)
  await visitor.submit('/sign-in', { email: own.email })
  await visitor.open(getLink(sent.shift()))
  return { own, visitor, sent, bindings }
}
