import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { text } from 'node:stream/consumers'
import { CERTIFICATE } from './certificate.ts'

interface VisitorAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** A browser as the server sees it: it keeps cookies, and sends the origin of its forms. */
export class Visitor {
  readonly #site: URL
  readonly #port: string
  readonly #headers: Readonly<Record<string, string>>
  readonly cookies = new Map<string, string>()

  /** @param port where the site is: its name needn't exist. */
  constructor(site: string, { port = new URL(site).port, headers = {} } = {}) {
    this.#site = new URL(site)
    this.#port = port
    this.#headers = headers
  }

  open(path: string): Promise<VisitorAnswer> {
    return this.#send(path, {})
  }

  submit(path: string, fields: Record<string, string>): Promise<VisitorAnswer> {
    const headers = { Origin: this.#site.origin, 'Content-Type': 'application/x-www-form-urlencoded' }
    return this.#send(path, { method: 'POST', headers, body: new URLSearchParams(fields).toString() })
  }

  async #send(
    path: string,
    { method = 'GET', headers = {}, body = '' }: { method?: string; headers?: object; body?: string },
  ): Promise<VisitorAnswer> {
    const { protocol, host, hostname } = this.#site
    const cookie = [...this.cookies].map((pair) => pair.join('=')).join('; ')
    const sent = (protocol === 'https:' ? requestHttps : requestHttp)({
      host: '127.0.0.1',
      port: this.#port,
      path,
      method,
      headers: {
        Host: host,
        Accept: 'text/html',
        ...(cookie && { Cookie: cookie }),
        ...this.#headers,
        ...headers,
      },
      ...(protocol === 'https:' && { ca: CERTIFICATE.cert, servername: hostname }),
    })
    sent.end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    for (const line of response.headers['set-cookie'] ?? []) this.#keep(line)
    const raw = response.rawHeaders
    const pairs = raw.flatMap((name, index): [string, string][] =>
      index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : [],
    )
    return { status: response.statusCode ?? 0, headers: new Headers(pairs), text: await text(response) }
  }

  #keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (/;\s*max-age=0/i.test(line)) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}
