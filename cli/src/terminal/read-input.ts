import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { formatSize } from '../../../src/shared/format.ts'
import { MAX_CONTENT_BYTES } from '../../../src/shared/settings.ts'
import { CliError } from '../exit-codes.ts'
import type { Terminal } from './terminal.ts'

export const STDIN = '-'

export interface Input {
  /** The name of the file; null for standard input. */
  readonly fileName: string | null
  readonly text: string
  /** Bytes of UTF-8. */
  readonly size: number
}

export const describeSource = (path: string): string => (path === STDIN ? 'Standard input' : path)

/** @throws CliError `input` for bytes that aren't UTF-8, and for none. */
export function decodeInput(bytes: Uint8Array, path: string): string {
  const source = describeSource(path)
  if (bytes.byteLength === 0) throw new CliError('input', `${source} is empty, so there’s nothing to share`)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new CliError('input', `${source} isn’t text. Regent stores UTF-8 text only`)
  }
}

async function readAll(stream: Readable, path: string, signal: AbortSignal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  const abort = () => stream.destroy(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    for await (const chunk of stream) {
      const bytes = Buffer.from(chunk)
      size += bytes.byteLength
      // Larger files aren't even read to their end.
      if (size > MAX_CONTENT_BYTES) {
        const limit = formatSize(MAX_CONTENT_BYTES)
        throw new CliError(
          'input',
          `${describeSource(path)} is larger than ${limit}, the most a server can accept`,
        )
      }
      chunks.push(bytes)
    }
  } finally {
    signal.removeEventListener('abort', abort)
  }
  signal.throwIfAborted()
  return Buffer.concat(chunks)
}

const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'there’s no such file',
  EISDIR: 'it’s a folder',
  EACCES: 'you aren’t allowed to',
}

async function readFileBytes(path: string, signal: AbortSignal): Promise<Uint8Array> {
  try {
    const file = await open(path)
    return await readAll(file.createReadStream(), path, signal)
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (typeof code !== 'string' || error instanceof CliError) throw error
    throw new CliError('input', `Can’t read ${path}: ${FILE_PROBLEMS[code] ?? code}`)
  }
}

/** @throws CliError `input` for anything but UTF-8 text. */
export async function readInput(path: string, { stdin, signal }: Terminal): Promise<Input> {
  const isStdin = path === STDIN
  const bytes = isStdin ? await readAll(stdin, path, signal) : await readFileBytes(path, signal)
  return {
    fileName: isStdin ? null : basename(path),
    text: decodeInput(bytes, path),
    size: bytes.byteLength,
  }
}
