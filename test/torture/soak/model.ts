import { ROW_MEMORY_MS } from '../../../src/documents/recent-documents.ts'
import { deriveClaimToken, parseJweHeader } from '../../../src/shared/jwe.ts'
import type { SoakTarget } from './server.ts'

/** What the driver knows about a document. */
export interface Known {
  readonly id: string
  /** The headers of its creator. */
  readonly owner: Readonly<Record<string, string>>
  readonly hasAccount: boolean
  /** The password of an encrypted document. */
  readonly password: string | null
  /** In milliseconds since 1970; null: it never expires while this runs. */
  readonly expiresAt: number | null
  /** What it may contain: the last acknowledged text, and those of edits without an answer. */
  readonly texts: Set<string>
  /** When the texts that an edit has replaced were last possible for who reads without a credential. */
  readonly replaced: Map<string, number>
  /** `unsure`: a deletion had no answer. It may still take effect. */
  state: 'live' | 'unsure' | 'gone'
  /** When it was known to be gone. */
  goneAt: number
  /** How often somebody tried to read it. */
  attempts: number
  /** When it was delivered, while nothing failed. Null once something could have lost a view. */
  deliveries: number[] | null
  readonly epoch: number
  readonly history: string[]
}

const MAX_HISTORY = 40

/** A write to the database takes a second to gather views, and more on a busy machine. */
const VIEWS_SETTLE_MS = 8_000

/** Collects what went wrong. */
export class Verdict {
  readonly violations: string[] = []
  readonly counts = new Map<string, number>()

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1)
  }

  violate(what: string, history: readonly string[] = []): void {
    this.violations.push([what, ...history.map((line) => `    ${line}`)].join('\n'))
  }
}

export function remember(known: Known, what: string, status: number | null): void {
  known.history.push(`${new Date().toISOString().slice(11, 23)} ${what} → ${status ?? 'no answer'}`)
  if (known.history.length > MAX_HISTORY) known.history.splice(1, 1)
}

/** Returns true for an answer that leaves the outcome open. A 500 is never right. */
export function isOpen(status: number | null, verdict: Verdict, what: string): boolean {
  if (status === 500) verdict.violate(`${what}: status 500`)
  if (status === 503) verdict.count('503')
  if (status === null) verdict.count('no answer')
  return status === null || status >= 500
}

/** An acknowledged edit: the other Worker may remember the row of before for a moment. */
export function replaceText(known: Known, text: string): void {
  for (const former of known.texts) known.replaced.set(former, Date.now() + ROW_MEMORY_MS)
  known.texts.clear()
  known.texts.add(text)
}

export function markGone(known: Known): void {
  if (known.state !== 'gone') Object.assign(known, { state: 'gone', goneAt: Date.now() })
}

interface ReadResult {
  readonly status: number
  /** The request had a credential. */
  readonly asOwner: boolean
  readonly startedAt: number
  readonly endedAt: number
  /** Returns true if the answer delivers this text. */
  readonly shows: (text: string) => boolean
}

/** Compares an answer to a read with what must be true. */
export function checkRead(known: Known, result: ReadResult, verdict: Verdict): void {
  const { status, asOwner, startedAt, endedAt, shows } = result
  const violate = (what: string) => verdict.violate(`${known.id}: ${what}`, known.history)
  if (status === 200) {
    const mayRemember = !asOwner && startedAt < known.goneAt + ROW_MEMORY_MS
    if (known.state === 'gone' && !mayRemember) violate('a deleted document was delivered')
    if (known.expiresAt !== null && startedAt >= known.expiresAt) violate('an expired document was delivered')
    const former = [...known.replaced].filter(([, until]) => !asOwner && startedAt < until)
    const texts = [...known.texts, ...former.map(([text]) => text)]
    if (!texts.some(shows)) violate('another text was delivered')
  } else if (status === 404) {
    const hasExpired = known.expiresAt !== null && endedAt >= known.expiresAt
    if (known.state === 'live' && !hasExpired) violate('an acknowledged document is missing')
    markGone(known)
  } else violate(`reading it got ${status}`)
}

/** Checks the number of views that an answer shows. */
export function checkViews(known: Known, views: number, server: SoakTarget, verdict: Verdict): void {
  // A write of views that takes effect but reports an error is repeated, so it counts them twice.
  const most = known.epoch > server.lastFaultyEpoch ? known.attempts : 2 * known.attempts
  if (views > most)
    verdict.violate(`${known.id}: ${views} views after ${known.attempts} reads`, known.history)
  if (server.faultRate > 0 || server.epoch !== known.epoch) known.deliveries = null
  const settled = known.deliveries?.filter((at) => at < Date.now() - VIEWS_SETTLE_MS).length ?? 0
  if (views < settled)
    verdict.violate(`${known.id}: ${views} views after ${settled} deliveries`, known.history)
}

const JSON_TYPE = { 'Content-Type': 'application/json' }

interface Race {
  readonly server: SoakTarget
  readonly verdict: Verdict
  readonly key: string
  readonly text: string
  readonly readers: number
  /** Encrypt the document, so that reading it takes a claim or its password. */
  readonly encrypted?: boolean
  /** Edit the document, this many milliseconds before it's read, so that the edit takes effect meanwhile. */
  readonly editLeadMs?: number
}

/** Creates a document, or returns null if there is no answer. */
async function create({ server, verdict, key, text, encrypted = false }: Race) {
  const body = JSON.stringify({
    content: text,
    settings: { instant_delete: true, ...(encrypted && { encrypted }) },
  })
  const headers = { ...JSON_TYPE, Authorization: key }
  const answer = await server.send('/v1/document', { method: 'POST', headers, body })
  if (answer === null || isOpen(answer.status, verdict, 'create')) return null
  if (answer.status !== 200) throw new Error(`A create got ${answer.status}: ${answer.text}`)
  return JSON.parse(answer.text).data as { id: string; password?: string }
}

/** Returns the ways to read a document that burns it, by front end. */
async function listReads(
  { server }: Race,
  { id, password }: { id: string; password?: string },
): Promise<{ readonly path: string; readonly init: RequestInit }[]> {
  const api = { path: `/v1/document/${id}`, init: {} }
  if (password === undefined) {
    const post = { method: 'POST' }
    const page = { ...post, headers: { Accept: 'text/html', 'User-Agent': 'Mozilla/5.0' } }
    return [api, { path: `/r/${id}`, init: post }, { path: `/${id}`, init: page }]
  }
  const withPassword = { path: `/v1/document/${id}`, init: { headers: { 'X-Document-Password': password } } }
  const header = await server.send(`/v1/document/${id}/claim`)
  if (header?.status !== 200) return [withPassword]
  const token = await deriveClaimToken(password, parseJweHeader(JSON.parse(header.text).data.header))
  const claim = { method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ token }) }
  return [withPassword, { path: `/v1/document/${id}/claim`, init: claim }]
}

/** Returns what an edit adds to the text. */
const toEditedText = (text: string): string => `${text}edited.`

/** Edits the document. Returns its status; null if the outcome is open. */
async function edit({ server, verdict, key, text }: Race, id: string): Promise<number | null> {
  const body = JSON.stringify({ id, content: toEditedText(text) })
  const headers = { ...JSON_TYPE, Authorization: key }
  const answer = await server.send('/v1/document', { method: 'PATCH', headers, body }, 1)
  if (answer === null || isOpen(answer.status, verdict, 'edit of a burning document')) return null
  if (answer.status !== 200 && answer.status !== 404)
    verdict.violate(`${id}: an edit of a burning document got ${answer.status}`)
  return answer.status
}

/**
 * Creates a burn-after-reading document, and lets readers of every front end and both Workers race for it: at most one
 * may get it, and one must if every reader got an answer. `unknown`: the create had no answer, or no reader had one, so
 * the document may still be there.
 */
export async function raceBurn(race: Race): Promise<'unknown' | 'delivered' | 'undelivered'> {
  const { server, verdict, text, readers } = race
  const made = await create(race)
  if (made === null) return 'unknown'
  const reads = await listReads(race, made)
  const read = async (reader: number) => {
    const { path, init } = reads[reader % reads.length] ?? { path: '', init: {} }
    const answer = await server.send(path, init, Math.floor(reader / reads.length))
    const line = `${init.method ?? 'GET'} ${path} → ${answer?.status ?? 'no answer'}`
    if (answer === null || isOpen(answer.status, verdict, 'burn')) return { line, outcome: 'open' } as const
    if (answer.status === 404) return { line, outcome: 'refused' } as const
    // A claim delivers the encrypted text.
    const delivers = answer.status === 200 && (path.endsWith('/claim') || answer.text.includes(text))
    if (!delivers) verdict.violate(`${made.id}: a reader of a burning document got ${answer.status}`, [line])
    const isEdited = answer.text.includes(toEditedText(text))
    return { line: `${line}${isEdited ? ', edited' : ''}`, outcome: 'delivered', isEdited } as const
  }
  const { editLeadMs = null, encrypted } = race
  const editing = editLeadMs !== null && encrypted !== true ? edit(race, made.id) : null
  if (editing) await new Promise((resolve) => setTimeout(resolve, editLeadMs ?? 0))
  const results = await Promise.all(Array.from({ length: readers }, (_, reader) => read(reader)))
  const edited = await editing
  // A reader without an answer tries again. After a delivery, nobody may get the text.
  for (let attempt = 0; attempt < 5; attempt++) {
    results.push(await read(0))
    if (results.at(-1)?.outcome !== 'open') break
  }
  const history = [...(editing ? [`edit → ${edited ?? 'open'}`] : []), ...results.map(({ line }) => line)]
  // An edit that succeeded came before the burn, and one that got a 404 came after it, unless its answer was lost.
  const stale = results.find(
    (result) => result.outcome === 'delivered' && result.isEdited !== (edited === 200),
  )
  const isKnown = edited === 200 || (edited === 404 && server.faultRate === 0)
  if (stale && isKnown) verdict.violate(`${made.id}: another version was delivered`, history)
  const delivered = results.filter(({ outcome }) => outcome === 'delivered').length
  if (delivered > 1) verdict.violate(`${made.id}: delivered ${delivered} times`, history)
  if (delivered === 0 && results.every(({ outcome }) => outcome === 'refused'))
    verdict.violate(`${made.id}: delivered to nobody`, history)
  verdict.count('burn')
  if (results.every(({ outcome }) => outcome === 'open')) return 'unknown'
  return delivered > 0 ? 'delivered' : 'undelivered'
}
