import { unavailable } from '../errors.ts'
import type { Instant } from '../shared/instant.ts'

const MiB = 1024 * 1024

/** The memory of its isolate that a request holds. */
interface Holding {
  /** The address of its client, or its /64. */
  readonly network: string
  /** Limits content that arrives or is sent, and the buffers for that. */
  transferBytes: number
  /** How much has yet to arrive. */
  missingBytes: number
  processingBytes: number
  /** The time when the request last showed that it goes on. If a client hangs up, no `finally` frees its memory. */
  seenAt: Instant
  /** The time when another request last waited for this memory. */
  wantedAt: Instant
}

interface Limits {
  /** Limits content on its way from or to clients, which may be slow. */
  readonly transferBytes: number
  readonly totalBytes: number
  readonly maxWaitMs: number
}

const RETRY_AFTER_SECONDS = 5

const outOfMemory = () => unavailable(new Error('other requests need the memory'), RETRY_AFTER_SECONDS)

/** How often a request that waits looks again: the longer it has waited, the more seldom. */
const MIN_POLL_MS = 25
const MAX_POLL_MS = 200

const BEAT_MS = 1_000
/**
 * How long a request may show nothing before it counts as ended. Others wait longer, so they get the memory of those
 * that ended without a word.
 */
const MAX_SILENCE_MS = 4 * BEAT_MS

/** Reading content up to this size isn't counted. Most of it is in the cache, where requests share it. */
const SMALL_BYTES = 512 * 1024

/** What a client has announced counts, so that it can't begin many small transfers and then make them large. */
const isLarge = ({ transferBytes, missingBytes }: Holding): boolean =>
  transferBytes + missingBytes > SMALL_BYTES

/** So much memory may be taken to process small requests without keeping a large one waiting. */
const SMALL_PROCESSING_BYTES = 4 * MiB

/**
 * Keeps the requests that run side by side within the memory of an isolate.
 *
 * A request first reserves memory for what arrives or will be sent, and then for processing it. Only the first waits for
 * clients, and whoever came first can always finish, so requests can't wait for each other in a circle. They wait by
 * looking again and again, each on its own timer: a Worker must not resolve a promise of another request.
 */
export class IsolateMemory {
  readonly #limits: Limits
  /** The requests that hold memory, the oldest first. */
  readonly #holdings = new Set<Holding>()
  #permanentBytes = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  getReservedBytes(): number {
    const { transfers, processing } = this.#sum()
    return transfers + processing
  }

  /** Takes the memory of a module that stays. */
  reservePermanently(bytes: number): void {
    this.#permanentBytes += bytes
  }

  /** @throws AppError `unavailable` after `maxWaitMs`. */
  async transfer(holding: Holding, bytes: number): Promise<void> {
    holding.missingBytes += bytes
    await this.#retry(() => {
      if (!this.#mayTransfer(holding, bytes)) return false
      holding.transferBytes += bytes
      holding.missingBytes -= bytes
      return true
    })
  }

  /** @throws AppError `unavailable` after `maxWaitMs`. */
  async process(holding: Holding, bytes: number): Promise<void> {
    await this.#retry(() => {
      if (!this.#mayProcess(bytes)) return false
      holding.processingBytes += bytes
      return true
    })
  }

  /** Call it now and then: the memory of a request that ended without a word is free again. */
  keep(holding: Holding): void {
    holding.seenAt = Date.now()
    this.#holdings.add(holding)
  }

  forget(holding: Holding): void {
    this.#holdings.delete(holding)
  }

  /** Adds up what is held, and forgets who ended without a word. */
  #sum(network?: string) {
    const now = Date.now()
    const sum = { transfers: 0, ofNetwork: 0, smallOfNetwork: 0, processing: 0 }
    for (const holding of this.#holdings) {
      if (now - holding.seenAt > MAX_SILENCE_MS) {
        this.#holdings.delete(holding)
        continue
      }
      sum.transfers += holding.transferBytes
      sum.processing += holding.processingBytes
      if (holding.network !== network) continue
      sum.ofNetwork += holding.transferBytes
      if (!isLarge(holding)) sum.smallOfNetwork += holding.transferBytes
    }
    return sum
  }

  /**
   * A network has a share of a quarter, and one transfer of any size besides small ones, which together take no more than
   * a quarter. A request may take no memory that an older one needs to finish: but that never counts for more than half,
   * because what is announced may never come.
   */
  #mayTransfer(asking: Holding, bytes: number): boolean {
    const max = this.#limits.transferBytes
    const { transfers, ofNetwork, smallOfNetwork } = this.#sum(asking.network)
    // One request may always go on, however large it is.
    if (transfers === asking.transferBytes) return true
    let taken = transfers + bytes
    let isFull = taken > max
    let isFirst = true
    let isFirstLarge = true
    for (const older of this.#holdings) {
      if (older === asking) break
      if (taken + Math.min(older.missingBytes, max / 2) > max) isFull = true
      if (older.network === asking.network) {
        isFirst = false
        if (isLarge(older)) isFirstLarge = false
      }
      taken -= older.transferBytes
    }
    const hasShare = isLarge(asking)
      ? isFirstLarge || ofNetwork + bytes <= max / 4
      : isFirst || smallOfNetwork + bytes <= max / 4
    if (hasShare && !isFull) return true
    const now = Date.now()
    for (const holding of this.#holdings)
      if (hasShare || holding.network === asking.network) holding.wantedAt = now
    return false
  }

  #mayProcess(bytes: number): boolean {
    const { totalBytes, transferBytes } = this.#limits
    const { transfers, processing } = this.#sum()
    return (
      processing + transfers + bytes <= totalBytes - this.#permanentBytes ||
      (processing <= SMALL_PROCESSING_BYTES && transfers <= transferBytes)
    )
  }

  /** Waits until the memory can be reserved. Nothing may come between the look and the reservation. */
  async #retry(tryToReserve: () => boolean): Promise<void> {
    const start = Date.now()
    for (let pauseMs = MIN_POLL_MS; !tryToReserve(); pauseMs = Math.min(2 * pauseMs, MAX_POLL_MS)) {
      if (Date.now() - start >= this.#limits.maxWaitMs) throw outOfMemory()
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}

/** An isolate has 128 MiB; the code takes about 15, the cache of content 16, and others four. */
export const isolateMemory = new IsolateMemory({
  transferBytes: 32 * MiB,
  totalBytes: 92 * MiB,
  maxWaitMs: 5_000,
})

/** The memory that the text takes in UTF-16, besides the bytes of the content. */
const BYTES_PER_PLAIN_BYTE = 2
/** Includes the encrypted bytes, their base64url, the JWE, and the bytes of that. */
const BYTES_PER_ENCRYPTED_BYTE = 5

/** A client that takes nothing of an answer for this long is cut off. */
const MAX_PAUSE_MS = 60_000

/** A slow 3G connection is faster. */
export const MIN_BYTES_PER_SECOND = 16 * 1024
/** How far a client may be behind that rate while others wait for the memory. */
const MAX_BEHIND_MS = 3_000

type OnDropped = (error: Error) => void

/**
 * The memory of one request. Code that reads a body calls `transfer` for each part and `processArrived` at the end. Code
 * that reads content for an answer calls `reserveForAnswer`, and `http/context.ts` calls `release`. The memory of transfers
 * is held until the answer has been sent.
 */
export class RequestMemory {
  readonly #getNetwork: () => string
  readonly #isolate: IsolateMemory
  #holding: Holding | null = null
  #timer: ReturnType<typeof setInterval> | undefined
  #isSending = false
  #isReleased = false
  #waiting: { readonly since: Instant; readonly onDropped: OnDropped } | null = null
  #behindMs = 0
  #bufferBytes = 0

  constructor(getNetwork: () => string, isolate: IsolateMemory = isolateMemory) {
    this.#getNetwork = getNetwork
    this.#isolate = isolate
  }

  get isLarge(): boolean {
    return this.#holding !== null && this.#holding.transferBytes > SMALL_BYTES
  }

  /**
   * Waits until there is memory for all that has arrived, and what comes next.
   *
   * @param missingBytes how much may come after that.
   * @throws AppError `unavailable`.
   */
  async transfer(bytes: number, missingBytes = 0): Promise<void> {
    const holding = this.#hold()
    holding.missingBytes = missingBytes
    const more = bytes + this.#bufferBytes - holding.transferBytes
    if (more > 0) await this.#isolate.transfer(holding, more)
  }

  /** Takes as much besides what arrives. */
  addBuffer(bytes: number): void {
    this.#bufferBytes += bytes
  }

  /** Frees the memory of the bytes that have arrived. */
  discard(): void {
    if (this.#holding) Object.assign(this.#holding, { transferBytes: 0, missingBytes: 0 })
  }

  /** @throws AppError `unavailable`. */
  async process(bytes: number): Promise<void> {
    const holding = this.#hold()
    // Who has memory already must not wait for those who wait for it.
    if (holding.processingBytes > SMALL_PROCESSING_BYTES) holding.processingBytes += bytes
    else await this.#isolate.process(holding, bytes)
    if (this.#isReleased) this.#end()
  }

  /** Reserves for all that has arrived: nobody knows yet whether it will be encrypted. @throws AppError `unavailable`. */
  async processArrived(contentBytes: number): Promise<void> {
    this.#hold().missingBytes = 0
    await this.process(BYTES_PER_ENCRYPTED_BYTE * contentBytes)
  }

  /**
   * Reserves memory for content that is read, and that the answer will have. Does nothing after `release`, for work
   * that goes on after the response.
   *
   * @throws AppError `unavailable`.
   */
  async reserveForAnswer(contentBytes: number, { encrypted }: { encrypted: boolean }): Promise<void> {
    if (contentBytes <= SMALL_BYTES || this.#isReleased) return
    if (this.#hold().processingBytes <= SMALL_PROCESSING_BYTES) await this.transfer(contentBytes)
    await this.process((encrypted ? BYTES_PER_ENCRYPTED_BYTE : BYTES_PER_PLAIN_BYTE) * contentBytes)
  }

  /** `onDropped` is called if the client is too slow while other requests wait for the memory. */
  waitForClient(onDropped: OnDropped): void {
    this.#waiting = { since: Date.now(), onDropped }
  }

  /** @param bytes how much the client has sent or taken since. */
  stopWaiting(bytes: number): void {
    if (this.#waiting === null) return
    const waitedMs = Date.now() - this.#waiting.since
    this.#behindMs = Math.max(0, this.#behindMs + waitedMs - (bytes / MIN_BYTES_PER_SECOND) * 1_000)
    this.#waiting = null
  }

  /** Holds what transfers have taken until the function is called that this returns. */
  send(): () => void {
    this.#isSending = true
    return () => this.#end()
  }

  release(): void {
    this.#isReleased = true
    if (this.#holding) this.#holding.processingBytes = 0
    if (!this.#isSending) this.#end()
  }

  #hold(): Holding {
    if (this.#holding) return this.#holding
    const none = { transferBytes: 0, missingBytes: 0, processingBytes: 0, seenAt: 0, wantedAt: 0 }
    this.#holding = { network: this.#getNetwork(), ...none }
    this.#isolate.keep(this.#holding)
    this.#timer = setInterval(() => this.#beat(), BEAT_MS)
    return this.#holding
  }

  #beat(): void {
    if (this.#holding === null) return
    const now = Date.now()
    this.#isolate.keep(this.#holding)
    if (this.#waiting === null) return
    const waitedMs = now - this.#waiting.since
    const isWanted = now - this.#holding.wantedAt <= BEAT_MS
    if (waitedMs > MAX_PAUSE_MS || (isWanted && this.#behindMs + waitedMs > MAX_BEHIND_MS))
      this.#waiting.onDropped(outOfMemory())
  }

  #end(): void {
    clearInterval(this.#timer)
    if (this.#holding) this.#isolate.forget(this.#holding)
    this.#holding = null
    this.#waiting = null
  }
}
