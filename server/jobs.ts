import { MINUTE_MS } from '../src/shared/instant.ts'

/** The scheduled jobs. */

/** When a job runs: the text that names it, and whether it runs in a minute (UTC). */
export interface Cron {
  readonly text: string
  readonly matches: (minute: Date) => boolean
}

/** The ranges of minute, hour, day of the month, month and day of the week, in which both 0 and 7 are Sunday. */
const FIELDS = [
  { min: 0, max: 59, get: (date: Date) => date.getUTCMinutes() },
  { min: 0, max: 23, get: (date: Date) => date.getUTCHours() },
  { min: 1, max: 31, get: (date: Date) => date.getUTCDate() },
  { min: 1, max: 12, get: (date: Date) => date.getUTCMonth() + 1 },
  { min: 0, max: 7, get: (date: Date) => date.getUTCDay() },
] as const

/** Parses `*`, `5`, `1-5`, each with a step such as `/5`, and lists of them. Returns null for anything else. */
function parseField(text: string, { min, max }: { min: number; max: number }): ReadonlySet<number> | null {
  const numbers = new Set<number>()
  for (const part of text.split(',')) {
    const [, range = '', step = '1'] = /^(\*|\d{1,2}(?:-\d{1,2})?)(?:\/(\d{1,2}))?$/.exec(part) ?? []
    const [first, last] = range === '*' ? [min, max] : range.split('-').map(Number)
    if (first === undefined || range === '' || Number(step) === 0) return null
    const end = last ?? (part.includes('/') ? max : first)
    if (first < min || end > max || end < first) return null
    for (let number = first; number <= end; number += Number(step)) numbers.add(number)
  }
  return numbers
}

/** Parses five fields. Returns null if they aren't valid. */
export function parseCron(text: string): Cron | null {
  const parts = text.trim().split(/\s+/)
  if (parts.length !== FIELDS.length) return null
  const fields = FIELDS.map((field, index) => parseField(parts[index] ?? '', field))
  if (fields.some((field) => field === null)) return null
  return {
    text,
    matches: (minute) =>
      FIELDS.every(({ get }, index) => {
        const value = get(minute)
        return fields[index]?.has(value) || (index === 4 && value === 0 && fields[index]?.has(7))
      }),
  }
}

/**
 * How far back missed runs are looked for. After a longer pause, each job runs late once, and what it missed before
 * doesn't matter.
 */
const MAX_LATE_MINUTES = 24 * 60

/** Returns the jobs that should have run after one time and until another. */
export function findDue(crons: readonly Cron[], after: number, until: number): Cron[] {
  const last = Math.floor(until / MINUTE_MS)
  const first = Math.max(Math.floor(after / MINUTE_MS) + 1, last - MAX_LATE_MINUTES)
  return crons.filter(({ matches }) => {
    for (let minute = first; minute <= last; minute += 1)
      if (matches(new Date(minute * MINUTE_MS))) return true
    return false
  })
}

interface JobsOptions {
  readonly crons: readonly Cron[]
  readonly run: (cron: string) => Promise<void>
  readonly clock?: () => number
}

/**
 * Runs jobs when they are due: one at a time, and one that is late at once, but only once. It looks each minute what has
 * become due, so that a clock that is set forward or back makes at most one run early or late.
 */
export class Jobs {
  readonly #crons: readonly Cron[]
  readonly #run: JobsOptions['run']
  readonly #clock: () => number
  readonly #due = new Set<Cron>()
  #lookedAt: number
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | null = null
  #isStopped = false

  constructor({ crons, run, clock = Date.now }: JobsOptions) {
    this.#crons = crons
    this.#run = run
    this.#clock = clock
    this.#lookedAt = clock()
  }

  /** Runs all jobs now: while the server was off, nobody did what was due. */
  start(): void {
    for (const cron of this.#crons) this.#due.add(cron)
    this.#runDue()
    this.#wait()
  }

  /** Looks what has become due since the last time. */
  look(): void {
    const now = this.#clock()
    for (const cron of findDue(this.#crons, Math.min(this.#lookedAt, now), now)) this.#due.add(cron)
    this.#lookedAt = now
    this.#runDue()
  }

  /** Starts no other job, and resolves once the one that runs has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#running
  }

  #wait(): void {
    const untilNext = MINUTE_MS - (this.#clock() % MINUTE_MS)
    this.#timer = setTimeout(() => {
      this.look()
      this.#wait()
    }, untilNext)
    this.#timer.unref()
  }

  #runDue(): void {
    if (this.#running !== null || this.#due.size === 0) return
    this.#running = this.#runAll().finally(() => {
      this.#running = null
    })
  }

  async #runAll(): Promise<void> {
    for (const cron of this.#due) {
      if (this.#isStopped) return
      this.#due.delete(cron)
      await this.#run(cron.text)
    }
  }
}
