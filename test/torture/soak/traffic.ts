import {
  checkRead,
  checkViews,
  isOpen,
  type Known,
  markGone,
  raceBurn,
  remember,
  replaceText,
  type Verdict,
} from './model.ts'
import type { SoakTarget } from './server.ts'

/** Returns a generator of numbers from 0 to 1 that a seed determines (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const JSON_TYPE = { 'Content-Type': 'application/json' }
const BROWSER = { Accept: 'text/html', 'User-Agent': 'Mozilla/5.0' }
const MAX_LIVE = 40
const MAX_TRIES = 6
/** About as long as an edit takes on a busy machine. */
const MAX_EDIT_LEAD_MS = 60
/** The service refuses a shorter expiry. */
const MIN_EXPIRY_MS = 60_000
const EXPIRY_MS = 70_000

interface TrafficOptions {
  readonly server: SoakTarget
  readonly verdict: Verdict
  /** Returns a number from 0 to 1. */
  readonly random: () => number
  /** API keys that no other client uses. */
  readonly keys: string[]
}

/** A client of the service: it makes one request after the other, and knows what must come of each. */
export class Client {
  readonly #options: TrafficOptions
  #key: string
  /** How many documents of the current key may be there without being known: nobody got an answer about them. */
  #maxUnknown = 0
  #made = 0
  readonly #documents: Known[] = []
  readonly #gone: Known[] = []
  readonly #revoked: string[] = []

  constructor(options: TrafficOptions) {
    this.#options = options
    this.#key = options.keys.pop() ?? ''
  }

  /** Does one random thing. */
  async act(): Promise<void> {
    const dice = this.#options.random()
    if (this.#documents.length === 0 || (dice < 0.12 && this.#documents.length < MAX_LIVE))
      await this.#create()
    else if (dice < 0.55) await this.#read(this.#pick(this.#documents))
    else if (dice < 0.72) await this.#edit(this.#pick(this.#documents))
    else if (dice < 0.8) await this.#delete(this.#pick(this.#documents))
    else if (dice < 0.86 && this.#gone.length > 0) await this.#read(this.#pick(this.#gone))
    else if (dice < 0.93) await this.#burn()
    else if (dice < 0.96) await this.#list()
    else if (dice < 0.965) await this.#replaceKey()
    else if (dice < 0.98 && this.#revoked.length > 0) await this.#useRevokedKey()
    else await this.#create()
  }

  /** Checks everything once more, while nothing fails: every document must be readable now. */
  async checkAll(): Promise<void> {
    for (const known of [...this.#documents, ...this.#gone.slice(-500)]) await this.#readAtLast(known)
    for (let count = 0; count < this.#revoked.length; count++) await this.#useRevokedKey()
    for (const id of await this.#list()) await this.#readUnknown(id)
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#options.random() * items.length)] as Item
  }

  #send(path: string, init?: RequestInit) {
    return this.#options.server.send(path, init, Math.floor(this.#options.random() * 2))
  }

  #newText(): string {
    this.#made += 1
    const size = Math.floor(this.#options.random() ** 4 * 20_000)
    return `${this.#key.slice(-8)}-${this.#made}-${'x'.repeat(size)}.`
  }

  async #create(): Promise<void> {
    const { random, server, verdict } = this.#options
    const hasAccount = random() < 0.6
    const encrypted = hasAccount && random() < 0.15
    const expires = hasAccount && !encrypted && random() < 0.15
    // A repeat may come too late for the shortest expiry.
    const idempotent = random() < 0.5 && !encrypted && !expires
    const text = this.#newText()
    const startedAt = Date.now()
    const expiration = expires ? new Date(startedAt + EXPIRY_MS).toISOString() : undefined
    const settings = hasAccount
      ? { ...(encrypted && { encrypted }), ...(expires && { expiration }) }
      : undefined
    const body = JSON.stringify({ content: text, settings })
    const headers = {
      ...JSON_TYPE,
      ...(hasAccount && { Authorization: this.#key }),
      ...(idempotent && { 'Idempotency-Key': crypto.randomUUID() }),
    }
    for (let attempt = 1; attempt <= (idempotent ? MAX_TRIES : 1); attempt++) {
      const epoch = server.epoch
      const answer = await this.#send('/v1/document', { method: 'POST', headers, body })
      if (answer === null || isOpen(answer.status, verdict, 'create')) continue
      // While the server starts again, a create may wait so long that its expiry is too short.
      if (answer.status === 400 && expires && Date.now() - startedAt > EXPIRY_MS - MIN_EXPIRY_MS) return
      if (answer.status !== 200) return verdict.violate(`a create got ${answer.status}: ${answer.text}`)
      const { id, password } = JSON.parse(answer.text).data
      const token = answer.headers.get('X-Document-Token')
      const known: Known = {
        id,
        owner: hasAccount ? { Authorization: this.#key } : { 'X-Document-Token': token ?? '' },
        hasAccount,
        password: password ?? null,
        expiresAt: expires ? startedAt + EXPIRY_MS : null,
        texts: new Set([text]),
        replaced: new Map(),
        state: 'live',
        goneAt: Number.POSITIVE_INFINITY,
        attempts: 0,
        deliveries: attempt === 1 && server.faultRate === 0 ? [] : null,
        epoch,
        history: [],
      }
      remember(known, `create, attempt ${attempt}`, 200)
      this.#documents.push(known)
      return verdict.count('create')
    }
    if (hasAccount) this.#maxUnknown += 1
  }

  async #readAtLast(known: Known): Promise<void> {
    for (let attempt = 1; attempt <= MAX_TRIES; attempt++) if (await this.#read(known)) return
    this.#options.verdict.violate(`${known.id}: can't be read although nothing fails`, known.history)
  }

  /** Nothing is known of the document but that it was listed. */
  async #readUnknown(id: string): Promise<void> {
    const { verdict } = this.#options
    for (let attempt = 1; attempt <= MAX_TRIES; attempt++) {
      const answer = await this.#send(`/v1/document/${id}`, { headers: { Authorization: this.#key } })
      // It may have expired.
      if (answer?.status === 200 || answer?.status === 404) return verdict.count('read unknown')
    }
    verdict.violate(`${id}: is listed, but can't be read although nothing fails`)
  }

  /** Returns false if the answer leaves open what became of the document. */
  async #read(known: Known): Promise<boolean> {
    const { random, server, verdict } = this.#options
    const form = this.#pick(known.password === null ? ['api', 'raw', 'page'] : ['api', 'raw'])
    const path = { api: '/v1/document/', raw: '/r/', page: '/' }[form] + known.id
    const asOwner = random() < 0.3 && form !== 'page'
    const headers = {
      ...(form === 'page' && BROWSER),
      ...(asOwner && known.owner),
      ...(known.password !== null && { 'X-Document-Password': known.password }),
    }
    const startedAt = Date.now()
    known.attempts += 1
    const answer = await this.#send(path, { headers })
    remember(known, `read ${form}${asOwner ? ' as its owner' : ''}`, answer?.status ?? null)
    if (answer === null || isOpen(answer.status, verdict, `read ${form}`)) {
      known.deliveries = null
      return false
    }
    verdict.count(`read ${form}`)
    const data = form === 'api' && answer.status === 200 ? JSON.parse(answer.text).data : null
    const shows = (text: string) =>
      data ? data.content === text : form === 'raw' ? answer.text === text : answer.text.includes(text)
    const endedAt = Date.now()
    checkRead(known, { status: answer.status, asOwner, startedAt, endedAt, shows }, verdict)
    if (answer.status === 200) known.deliveries?.push(Date.now())
    if (data) checkViews(known, data.views, server, verdict)
    this.#sortOut(known)
    return true
  }

  /** Moves a document that is gone to the others. */
  #sortOut(known: Known): void {
    const index = this.#documents.indexOf(known)
    if (known.state !== 'gone' || index === -1) return
    this.#documents.splice(index, 1)
    this.#gone.push(known)
  }

  async #edit(known: Known): Promise<void> {
    if (known.password !== null) {
      await this.#read(known)
      return
    }
    const { verdict } = this.#options
    const text = this.#newText()
    const body = JSON.stringify({ id: known.id, content: text })
    const headers = { ...JSON_TYPE, ...known.owner }
    const answer = await this.#send('/v1/document', { method: 'PATCH', headers, body })
    remember(known, `edit to ${text.slice(0, 20)}`, answer?.status ?? null)
    if (answer === null || isOpen(answer.status, verdict, 'edit')) {
      known.texts.add(text)
      return
    }
    verdict.count('edit')
    if (answer.status === 200) {
      // A late edit can't take effect any more: the document's version has changed.
      replaceText(known, text)
    } else this.#expectGone(known, answer.status, 'an edit')
  }

  async #delete(known: Known): Promise<void> {
    const { verdict } = this.#options
    const answer = await this.#send(`/v1/document/${known.id}`, { method: 'DELETE', headers: known.owner })
    remember(known, 'delete', answer?.status ?? null)
    if (answer === null || isOpen(answer.status, verdict, 'delete')) known.state = 'unsure'
    else if (answer.status === 204) {
      verdict.count('delete')
      markGone(known)
    } else this.#expectGone(known, answer.status, 'a delete')
    this.#sortOut(known)
  }

  #expectGone(known: Known, status: number, what: string): void {
    const at = Date.now()
    if (status !== 404) this.#options.verdict.violate(`${known.id}: ${what} got ${status}`, known.history)
    else
      checkRead(
        known,
        { status, asOwner: true, startedAt: at, endedAt: at, shows: () => false },
        this.#options.verdict,
      )
    this.#sortOut(known)
  }

  async #burn(): Promise<void> {
    const text = this.#newText()
    const { random, server, verdict } = this.#options
    const race = { server, verdict, key: this.#key, text, readers: 6 }
    const edits = random() < 0.7 ? { editLeadMs: random() * MAX_EDIT_LEAD_MS } : {}
    const outcome = await raceBurn({ ...race, ...edits })
    if (outcome === 'unknown') this.#maxUnknown += 1
  }

  /**
   * Checks that the account's list has every document that must be there, and none that is gone. Returns the ids that
   * aren't known.
   */
  async #list(): Promise<ReadonlySet<string>> {
    const { verdict } = this.#options
    const listed = new Set<string>()
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = `?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
      const answer = await this.#send(`/v1/users/@me/documents${query}`, {
        headers: { Authorization: this.#key },
      })
      if (answer === null || isOpen(answer.status, verdict, 'list')) return new Set()
      if (answer.status !== 200) {
        verdict.violate(`a list got ${answer.status}`)
        return new Set()
      }
      const { data } = JSON.parse(answer.text)
      for (const { id } of data.documents) listed.add(id)
      cursor = data.cursor
    }
    verdict.count('list')
    const own = (known: Known) => known.owner.Authorization === this.#key
    for (const known of this.#documents.filter(own)) {
      const lasts = known.expiresAt === null || known.expiresAt > Date.now() + 1_000
      if (known.state === 'live' && lasts && !listed.has(known.id))
        verdict.violate(`${known.id}: not in the list`, known.history)
      listed.delete(known.id)
    }
    for (const known of this.#gone.filter(own)) {
      if (listed.has(known.id)) verdict.violate(`${known.id}: still in the list`, known.history)
    }
    if (listed.size > this.#maxUnknown)
      verdict.violate(
        `at most ${this.#maxUnknown} unknown documents should be in a list: ${[...listed].join(', ')}`,
      )
    return listed
  }

  async #replaceKey(): Promise<void> {
    const { keys, verdict } = this.#options
    const headers = { Authorization: this.#key }
    const answer = await this.#send('/v1/users/@me/regenerate_api_token', { method: 'POST', headers })
    const isUnknown = answer === null || isOpen(answer.status, verdict, 'replace key')
    if (isUnknown && keys.length === 0) throw new Error('There are no more accounts.')
    if (!isUnknown && answer.status !== 200) return verdict.violate(`replacing a key got ${answer.status}`)
    const next = isUnknown ? keys.pop() : JSON.parse(answer.text).data.api_token
    if (!isUnknown) {
      verdict.count('replace key')
      this.#revoked.push(this.#key)
    }
    const old = this.#key
    this.#key = next
    if (isUnknown) {
      // The account is left alone: nobody knows its key, so its documents can only be read.
      this.#maxUnknown = 0
      this.#documents.splice(
        0,
        this.#documents.length,
        ...this.#documents.filter((known) => !known.hasAccount),
      )
    } else for (const known of this.#documents) if (known.owner.Authorization === old) this.#rekey(known)
    if (!isUnknown) for (const known of this.#gone) if (known.owner.Authorization === old) this.#rekey(known)
  }

  #rekey(known: Known): void {
    Object.assign(known.owner, { Authorization: this.#key })
  }

  async #useRevokedKey(): Promise<void> {
    const { verdict } = this.#options
    const headers = { Authorization: this.#pick(this.#revoked) }
    const answer = await this.#send('/v1/users/@me', { headers })
    if (answer === null || isOpen(answer.status, verdict, 'use a revoked key')) return
    verdict.count('revoked key')
    if (answer.status !== 401) verdict.violate(`a revoked key got ${answer.status}`)
  }
}
