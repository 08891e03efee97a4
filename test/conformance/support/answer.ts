/** A document as the API returns it. */
export interface DocumentBody {
  readonly id: string
  readonly content: string
  readonly files?: readonly { readonly name: string; readonly content: string }[]
  readonly creator: { readonly username: string; readonly documents_made: number } | null
  readonly views: number
  readonly password?: string
  readonly timestamps: { readonly creation: string; readonly expiration: string }
  readonly links: { readonly formatted: string; readonly raw: string }
  readonly settings: Readonly<Record<string, unknown>>
}

interface ErrorBody {
  readonly code: string
  readonly message: string
  readonly hint?: string
  readonly errors?: readonly { readonly code: string; readonly path: unknown[]; readonly message: string }[]
}

/** A response that has arrived completely. */
export class Answer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array

  constructor(status: number, headers: Headers, bytes: Uint8Array) {
    this.status = status
    this.headers = headers
    this.bytes = bytes
  }

  /** The body as text. A byte order mark is part of the text. */
  get text(): string {
    return new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(this.bytes)
  }

  /** The body as JSON. Throws an Error that shows the body if it's something else. */
  get body(): { readonly success: boolean; readonly data?: unknown; readonly error?: ErrorBody } {
    try {
      return JSON.parse(this.text)
    } catch {
      throw new Error(`Not JSON (status ${this.status}): ${this.text.slice(0, 200)}`)
    }
  }

  get data(): unknown {
    return this.body.data
  }

  /** The document in a response with status 200. Throws an Error that shows the body for any other response. */
  get document(): DocumentBody {
    if (this.status !== 200) throw new Error(`Status ${this.status}: ${this.text.slice(0, 300)}`)
    return this.body.data as DocumentBody
  }

  /** The value of a header, or an empty string if the response doesn't have it. */
  header(name: string): string {
    return this.headers.get(name) ?? ''
  }

  /** The entries of a header with a comma-separated list, in lower case. */
  list(name: string): string[] {
    return this.header(name)
      .split(',')
      .map((entry) => entry.trim().toLowerCase())
  }
}
