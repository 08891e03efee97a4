import type { Instant } from '../../shared/instant.ts'

export interface TextSnapshot {
  readonly text: string
  readonly time: Instant
}

/** Above this many characters in all snapshots, those in between are dropped. */
const MAX_RECORDED_CHARACTERS = 8_000_000

/** A code editor that takes over can undo the changes. */
export class TextHistory {
  #snapshots: TextSnapshot[]
  #characters: number

  constructor(text: string, time: number) {
    this.#snapshots = [{ text, time }]
    this.#characters = text.length
  }

  get snapshots(): readonly TextSnapshot[] {
    return this.#snapshots
  }

  record(text: string, time: number): void {
    if (this.#snapshots.at(-1)?.text === text) return
    this.#snapshots.push({ text, time })
    this.#characters += text.length
    if (this.#characters > MAX_RECORDED_CHARACTERS) this.#forget()
  }

  #forget(): void {
    const [first] = this.#snapshots
    const last = this.#snapshots.at(-1)
    this.#snapshots = [first, last].filter((snapshot) => snapshot !== undefined)
    this.#characters = this.#snapshots.reduce((sum, { text }) => sum + text.length, 0)
  }
}

interface TextChange {
  readonly from: number
  readonly to: number
  readonly insert: string
}

export function findChange(before: string, after: string): TextChange {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++
  let end = 0
  while (
    end < shorter - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  )
    end++
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) }
}
