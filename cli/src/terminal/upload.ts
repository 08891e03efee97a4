import { RegentError } from '../client/errors.ts'
import type { CallOptions } from '../client/transport.ts'
import { CliError, Interrupted } from '../exit-codes.ts'
import type { CommandContext } from '../session.ts'
import { showUploadProgress } from './upload-progress.ts'

/** Uploads a document and shows the progress. Says of an upload that fails half-way whether anything was stored. */
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
