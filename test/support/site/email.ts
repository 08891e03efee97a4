import { withVars } from '../client.ts'

interface SentEmail {
  readonly from: string | EmailAddress
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Returns true for an email to one address, in both formats. */
const isSentEmail = (email: object): email is SentEmail =>
  ['to', 'text', 'html'].every((field) => typeof Reflect.get(email, field) === 'string')

/** Returns bindings that pass emails to a function. */
export const withEmail = (send: (email: object) => void, vars: Record<string, string> = {}): Env => ({
  ...withVars({ MAIL_FROM: 'Regent <mail@paste.example>', ...vars }),
  EMAIL: {
    send: async (email: object) => {
      send(email)
      return { messageId: crypto.randomUUID() }
    },
  },
})

/** Returns bindings that capture emails, and the emails sent so far. */
export function captureEmail(vars: Record<string, string> = {}): { bindings: Env; sent: SentEmail[] } {
  const sent: SentEmail[] = []
  const bindings = withEmail((email) => {
    if (!isSentEmail(email)) throw new Error('an email needs an address, a text and HTML')
    sent.push(email)
  }, vars)
  return { bindings, sent }
}

/** Returns the path of the link in an email, which is on a line of its own. */
export function getLink(email: SentEmail | undefined): string {
  const line = email?.text.split('\n').find((candidate) => candidate.startsWith('https://'))
  if (line === undefined) throw new Error(`no link in: ${email?.text}`)
  const { pathname, search } = new URL(line)
  return pathname + search
}
