/** What exists on the server that the fuzzer attacks, so that its requests get past the first checks. */
export interface World {
  /** Documents of every kind: anonymous, of an account, public, encrypted, burn after reading. */
  readonly ids: readonly string[]
  readonly usernames: readonly string[]
  readonly keys: readonly string[]
  /** The `Cookie` values of sessions. */
  readonly cookies: readonly string[]
  readonly documentTokens: readonly string[]
  readonly passwords: readonly string[]
  /** Content that a client could have encrypted. */
  readonly jwes: readonly string[]
  readonly claimTokens: readonly string[]
  readonly origin: string
}

export interface FuzzRequest {
  readonly method: string
  /** The path and the query, not normalised. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export interface FuzzAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Sends a request. Returns null if no client could send it. */
export type SendRequest = (request: FuzzRequest) => Promise<FuzzAnswer | null>

interface NewAccount {
  readonly username: string
  readonly key: string
  readonly cookie: string
}

interface Server {
  readonly origin: string
  readonly send: SendRequest
  readonly addAccount: () => Promise<NewAccount>
}

const CLAIM_TOKEN = 'A'.repeat(43)

/** Creates accounts and documents of every kind. */
export async function createWorld({ origin, send, addAccount }: Server): Promise<World> {
  const [owner, other] = await Promise.all([addAccount(), addAccount()])
  const create = async (settings: object | null, key?: string) => {
    const headers = { 'Content-Type': 'application/json', ...(key && { Authorization: key }) }
    const body = JSON.stringify({ content: 'Fuzz me: <b>&amp;\n', ...(settings && { settings }) })
    const answer = await send({ method: 'POST', target: '/v1/document', headers, body })
    if (answer?.status !== 200) throw new Error(`The fuzzer can't create a document: ${answer?.text}`)
    const { id, password } = JSON.parse(answer.text).data as { id: string; password?: string }
    return { id, password, token: answer.headers.get('X-Document-Token') }
  }
  const made = await Promise.all([
    create(null),
    create(null),
    create({ language: 'markdown', public: true, title: 'Fuzz' }, owner.key),
    create({ editors: [other.username], long_urls: true }, owner.key),
    create({ encrypted: true }, owner.key),
    create({ instant_delete: true, short_urls: true }, owner.key),
    create({ instant_delete: true, encrypted: true }, owner.key),
  ])
  const encrypted = made[4]
  const read = await send({ method: 'GET', target: `/v1/document/${encrypted.id}`, headers: {}, body: null })
  return {
    ids: made.map(({ id }) => id),
    usernames: [owner.username, other.username],
    keys: [owner.key, other.key],
    cookies: [owner.cookie, other.cookie],
    documentTokens: made.flatMap(({ token }) => token ?? []),
    passwords: [...made.flatMap(({ password }) => password ?? []), 'a password of the fuzzer'],
    jwes: [JSON.parse(read?.text ?? '').data.content],
    claimTokens: [CLAIM_TOKEN],
    origin,
  }
}
