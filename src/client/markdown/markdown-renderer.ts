import type { HighlightAnswer, MarkdownAnswer, MarkdownTask } from '../highlight/highlight-client.ts'
import { toTrustedScriptUrl } from '../shared/trusted-script-url.ts'

/** @throws Error if they can't be loaded. */
export async function loadMarkdownStyles(address: string): Promise<void> {
  if (document.querySelector(`link[href="${CSS.escape(address)}"]`)) return
  const link = document.createElement('link')
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  link.rel = 'stylesheet'
  link.href = address
  link.onload = () => resolve()
  link.onerror = () => reject(new Error('The styles of rendered Markdown couldn’t be loaded.'))
  document.head.append(link)
  await promise
}

/** For one part. Hostile texts would take minutes. */
const MAX_WORK_MS = 30_000

const RENDER_ERROR = 'This Markdown couldn’t be rendered.'

interface MarkdownRenderer {
  /**
   * Calls `onPart` with each part of the HTML, which isn't sanitized. The caller waits for the end of one text before
   * it starts the next.
   *
   * @throws Error if the text can't be rendered, or takes too long.
   */
  readonly render: (
    text: string,
    onPart: (part: MarkdownAnswer) => void,
    partLength?: number,
  ) => Promise<void>
  /** Rendering another text starts a new worker. */
  readonly stop: () => void
}

/** Renders in a worker. @param workerAddress of the highlight worker, which renders Markdown too. */
export function createMarkdownRenderer(workerAddress: string): MarkdownRenderer {
  let worker: Worker | null = null
  let cancel: (() => void) | null = null
  const stop = () => {
    worker?.terminate()
    worker = null
    cancel?.()
  }
  return {
    stop,
    render: async (text, onPart, partLength) => {
      worker ??= new Worker(toTrustedScriptUrl(workerAddress), { type: 'module' })
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const fail = () => stop()
      cancel = () => reject(new Error(RENDER_ERROR))
      let timer = setTimeout(fail, MAX_WORK_MS)
      worker.onerror = fail
      worker.onmessage = ({ data }: MessageEvent<HighlightAnswer>) => {
        if (!('html' in data)) return fail()
        clearTimeout(timer)
        if (data.last) return resolve()
        timer = setTimeout(fail, MAX_WORK_MS)
        onPart(data)
      }
      worker.postMessage({ do: 'render-markdown', text, partLength } satisfies MarkdownTask)
      await promise.finally(() => {
        clearTimeout(timer)
        cancel = null
      })
    },
  }
}

interface Part {
  readonly html: string
}

interface ReplacedParts<Added> {
  readonly start: number
  readonly end: number
  readonly added: readonly Added[]
}

/** A change usually changes one part. */
export function getReplacedParts<Added extends Part>(
  before: readonly Part[],
  after: readonly Added[],
): ReplacedParts<Added> {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start]?.html === after[start]?.html) start += 1
  let same = 0
  while (same < shorter - start && before.at(-1 - same)?.html === after.at(-1 - same)?.html) same += 1
  return { start, end: before.length - same, added: after.slice(start, after.length - same) }
}
