import { env } from 'cloudflare:workers'

interface SentEmail {
  readonly from: string | { readonly name: string; readonly email: string }
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The bindings of a service that sends mail, and the mail it has sent. */
export function captureEmail(vars: Record<string, unknown> = {}): { bindings: Env; sent: SentEmail[] } {
  const sent: SentEmail[] = []
  const EMAIL = {
    send: async (mail: SentEmail) => {
      sent.push(mail)
      return { messageId: String(sent.length) }
    },
  }
  const bindings = { ...env, MAIL_FROM: 'Regent <mail@paste.example>', EMAIL, ...vars } as unknown as Env
  return { bindings, sent }
}

/** The link of a mail, which stands whole on a line of its text, as the path that it leads to. */
export function getLink(mail: SentEmail | undefined): string {
  const line = mail?.text.split('\n').find((candidate) => candidate.startsWith('https://'))
  if (line === undefined) throw new Error(`no link in: ${mail?.text}`)
  const { pathname, search } = new URL(line)
  return pathname + search
}
