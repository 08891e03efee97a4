import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { CERTIFICATE } from './certificate.ts'

export const USER = 'regent@example.org'
export const PASSWORD = 'p@ss:w%rd/secret'

interface ReceivedEmail {
  readonly from: string
  readonly to: readonly string[]
  /** The whole message with its headers, decoded. */
  readonly source: string
  readonly isEncrypted: boolean
  readonly user: string | null
}

interface MailServerOptions {
  /** TLS from the first byte on, instead of STARTTLS. */
  readonly secure?: boolean
  readonly startTls?: boolean
  readonly port?: number
  /** Anybody may send without it. */
  readonly login?: boolean
}

export interface MailServer extends AsyncDisposable {
  readonly port: number
  readonly url: string
  readonly received: ReceivedEmail[]
  /** The passwords that were tried. */
  readonly passwords: string[]
  password: string
}

/** Decodes quoted-printable text (RFC 2045 §6.7). */
const decode = (source: string): string =>
  source
    .replaceAll('=\r\n', '')
    .replace(/(?:=[\dA-F]{2})+/g, (codes) => Buffer.from(codes.replaceAll('=', ''), 'hex').toString())

/** Starts a mail server that keeps what it gets. */
export async function startMailServer({
  secure = false,
  startTls = true,
  port = 0,
  login = true,
}: MailServerOptions = {}): Promise<MailServer> {
  const received: ReceivedEmail[] = []
  const passwords: string[] = []
  const server = new SMTPServer({
    ...CERTIFICATE,
    secure,
    authOptional: !login,
    allowInsecureAuth: true,
    disabledCommands: startTls ? [] : ['STARTTLS'],
    onAuth: ({ username, password }, _, callback) => {
      passwords.push(password ?? '')
      if (username === USER && password === started.password) callback(null, { user: username })
      // As unhelpful as a server can be.
      else callback(new Error(`5.7.8 ${username} must not use ${password}`))
    },
    onData: (stream, { envelope, secure: isEncrypted, user }, callback) => {
      text(stream).then((source) => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        const to = envelope.rcptTo.map(({ address }) => address)
        received.push({ from, to, source: decode(source), isEncrypted, user: user ? String(user) : null })
        callback()
      }, callback)
    },
  })
  // A client that doesn't trust the certificate breaks off.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const bound = (server.server.address() as AddressInfo).port
  const credentials = `${encodeURIComponent(USER)}:${encodeURIComponent(PASSWORD)}@`
  const started: MailServer = {
    port: bound,
    url: `${secure ? 'smtps' : 'smtp'}://${login ? credentials : ''}localhost:${bound}`,
    received,
    passwords,
    password: PASSWORD,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(resolve)),
  }
  return started
}

/** Returns the sign-in link in the last email. */
export function getLink({ received }: MailServer): string {
  const link = /^https?:\/\/\S+\/sign-in\/link\?\S+/m.exec(received.at(-1)?.source ?? '')?.[0]
  if (link === undefined) throw new Error('no email with a link has arrived')
  return link
}
