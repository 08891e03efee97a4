import { formatSize } from '../../../src/shared/format.ts'
import type { Terminal } from './terminal.ts'

/** Smaller uploads end before anyone could read about them. */
const MIN_SHOWN_BYTES = 1_024 * 1_024

const CLEAR_LINE = '\r\x1B[K'

export interface UploadProgress {
  readonly update: (sent: number, total: number) => void
  /** Removes the progress from the screen. */
  readonly end: () => void
  /** Says what a failed upload means. */
  readonly describeFailure: () => string
}

/** Shows how far an upload is, if it's long and standard error is a terminal. */
export function showUploadProgress({ stderr, env }: Terminal, { quiet }: { quiet: boolean }): UploadProgress {
  const showable = stderr.isTTY === true && !quiet && env.TERM !== 'dumb'
  let shown = ''
  let progress = { sent: 0, total: Number.POSITIVE_INFINITY }
  return {
    update: (sent, total) => {
      progress = { sent, total }
      if (!showable || total < MIN_SHOWN_BYTES) return
      const line = `Uploading ${Math.floor((sent / total) * 100)}% of ${formatSize(total)}`
      if (line !== shown) stderr.write(CLEAR_LINE + line)
      shown = line
    },
    end: () => {
      if (shown !== '') stderr.write(CLEAR_LINE)
      shown = ''
    },
    describeFailure: () => {
      const { sent, total } = progress
      if (sent === 0) return 'Nothing was sent.'
      return sent < total
        ? `Only ${formatSize(sent)} of ${formatSize(total)} had been sent, so nothing was stored.`
        : 'Everything had been sent already, so the server may have stored it.'
    },
  }
}
