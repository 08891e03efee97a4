import { formatSize } from '../../src/shared/format.ts'
import { RegentError } from './client/errors.ts'
import type { CallOptions } from './client/transport.ts'
import { CliError, Interrupted } from './exit-codes.ts'
import type { CommandContext } from './session.ts'
import type { Terminal } from './terminal.ts'

/** Smaller uploads end before anyone could read about them. */
const MIN_SHOWN_BYTES = 1_024 * 1_024

const CLEAR_LINE = '\r\x1B[K'

interface UploadProgress {
  readonly update: (sent: number, total: number) => void
  readonly end: () => void
  readonly describeFailure: () => string
}

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

/** Says of an upload that fails half-way whether anything was stored. */
export async function upload<Created>(
  { terminal, values }: CommandContext,
  send: (options: CallOptions) => Promise<Created>,
): Promise<Created> {
  const progress = showUploadProgress(terminal, { quiet: values.quiet ?? false })
  try {
    return await send({ signal: terminal.signal, onUploadProgress: progress.update })
  } catch (error) {
    progress.end()
    if (error instanceof Interrupted) {
      throw new CliError('interrupted', `Interrupted. ${progress.describeFailure()}`)
    }
    if (error instanceof RegentError && (error.code === 'network' || error.code === 'timeout')) {
      throw new CliError('network', `${error.message}. ${progress.describeFailure()}`)
    }
    throw error
  } finally {
    progress.end()
  }
}
