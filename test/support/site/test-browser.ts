import { ORIGIN, send } from '../client.ts'

let browsers = 0

/** A browser as the server sees it: it keeps cookies, and sends the origin of its forms. */
export class TestBrowser {
  readonly #cookies = new Map<string, string>()
  readonly #bindings: Env | undefined
  /** Rate limits count addresses, so each browser has its own. */
  readonly #address = `203.0.113.${++browsers}`

  constructor(bindings?: Env) {
    this.#bindings = bindings
  }

  get cookies(): ReadonlyMap<string, string> {
    return this.#cookies
  }

  setCookie(name: string, value: string): void {
    this.#cookies.set(name, value)
  }

  open(path: string, init: RequestInit & { headers?: Record<string, string> } = {}): Promise<Response> {
    return this.#send(path, init)
  }

  submit(path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) {
    return this.#send(path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { Origin: ORIGIN, ...headers },
    })
  }

  async #send(path: string, init: RequestInit & { headers?: Record<string, string> }): Promise<Response> {
    const headers = new Headers({ 'CF-Connecting-IP': this.#address, ...init.headers })
    if (this.#cookies.size > 0) {
      headers.set('Cookie', [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    }
    const response = await send(
      path,
      { ...init, headers, redirect: 'manual' },
      { ...(this.#bindings && { bindings: this.#bindings }), settle: true },
    )
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie)
    return response
  }

  #keep(cookie: string): void {
    const [pair = ''] = cookie.split(';')
    const [, name = '', value = ''] = /^([^=]+)=(.*)$/.exec(pair) ?? []
    if (/;\s*max-age=0/i.test(cookie)) this.#cookies.delete(name)
    else this.#cookies.set(name, value)
  }
}
