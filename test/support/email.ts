import { env } from 'cloudflare:workers'

interface SentEmail {
  readonly from: string | { readonly name: string; readonly email: string }
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Returns bindings that capture emails, and the emails sent so far. */
export function captureEmail(vars: Record<string, unknown> = {}): { bindings: Env; sent: SentEmail[] } {
  const sent: SentEmail[] = []
  const EMAIL = {
    send: async (email: SentEmail) => {
      sent.push(email)
      return { messageId: String(sent.length) }
    },
  }
  const bindings = { ...env, MAIL_FROM: 'Regent <mail@paste.example>', EMAIL, ...vars } as unknown as Env
  return { bindings, sent }
}

/** Returns the path of the link in an email, which is on a line of its own. */
export function getLink(email: SentEmail | undefined): string {
  const line = email?.text.split('\n').find((candidate) => candidate.startsWith('https://'))
  if (line === undefined) throw new Error(`no link in: ${email?.text}`)
  const { pathname, search } = new URL(line)
  return pathname + search
}
