import { type SpawnOptions, spawn } from 'node:child_process'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { createInterface } from 'node:readline'
import { type Readable, Writable } from 'node:stream'
import {
  CONVERT_COMMAND,
  type DecodedText,
  decodeBytes,
  findArchiveFormat,
} from '../../src/shared/encodings.ts'
import { formatSize } from '../../src/shared/format.ts'
import type { Instant } from '../../src/shared/instant.ts'
import { MAX_CONTENT_BYTES } from '../../src/shared/settings.ts'
import type { TextFile } from '../../src/shared/txtar.ts'
import { CliError, Interrupted } from './exit-codes.ts'
import type { Surroundings } from './storage.ts'

type Sink = Writable & { readonly isTTY?: boolean; readonly columns?: number }

/** The terminal at which a person can be asked, even if standard input is a pipe. */
export interface Conversation {
  readonly input: Readable
  readonly output: Writable
  readonly close: () => void
}

/** Comes from outside the program, so that tests can run it in their own process. */
export interface Terminal extends Surroundings {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Sink
  readonly stderr: Sink
  /** Aborts with `Interrupted` after Ctrl+C. */
  readonly signal: AbortSignal
  readonly now: () => Instant
  readonly openConversation: () => Conversation | null
  /** Leaves Ctrl+C to a program that was started, such as the editor. */
  readonly whileIgnoringInterrupts: <Result>(run: () => Promise<Result>) => Promise<Result>
}

export interface Output {
  /** Resolves once the text is written to standard output. Throws CliError `failure` if it can't be, and ReaderGone. */
  readonly print: (text: string) => Promise<void>
  readonly note: (text: string) => void
  readonly error: (text: string) => void
}

/** Nobody reads standard output any more: `regent get ID | head` needs no more than it has. */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone'
}

const isGone = ({ code }: NodeJS.ErrnoException): boolean =>
  code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED'

const FULL: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'your share of the disk is full',
  EFBIG: 'the file would be too large',
}

const RED = '\x1B[31m'
const RESET = '\x1B[0m'

/** https://no-color.org */
const mayColour = ({ env }: Terminal, { isTTY = false }: Sink): boolean =>
  isTTY && !env.NO_COLOR && env.TERM !== 'dumb'

/** Control and format characters, with which a title could change what the terminal shows. */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

/** Makes a text that somebody else may have written safe to print. */
export const toSafeLine = (text: string): string => text.replaceAll(CONTROLS, ' ').trim()

export function createOutput(terminal: Terminal, { quiet }: { quiet: boolean }): Output {
  const { stdout, stderr } = terminal
  const writeLine = (text: string) => stderr.write(`${text}\n`)
  // A message may quote a server.
  const toSafe = (text: string) => text.split('\n').map(toSafeLine).join('\n')
  return {
    print: (text) =>
      new Promise((resolve, reject) =>
        stdout.write(text, (error) => {
          if (!error) return resolve()
          if (isGone(error)) return reject(new ReaderGone())
          const { code = error.message } = error as NodeJS.ErrnoException
          reject(new CliError('failure', `Can’t write to standard output: ${FULL[code] ?? code}`))
        }),
      ),
    note: (text) => {
      if (!quiet) writeLine(toSafe(text))
    },
    error: (text) => {
      const name = mayColour(terminal, stderr) ? `${RED}regent:${RESET}` : 'regent:'
      writeLine(`${name} ${toSafe(text)}`)
    },
  }
}

const createSilence = () => new Writable({ write: (_chunk, _encoding, done) => done() })

/**
 * @param advice what to do instead without a terminal, as the end of an error message.
 * @throws CliError `usage` if there is no terminal, and Interrupted after Ctrl+C.
 */
export async function askSecret(terminal: Terminal, question: string, advice: string): Promise<string> {
  const conversation = terminal.openConversation()
  if (!conversation) throw new CliError('usage', `There’s no terminal to ask at. ${advice}`)
  const { input, output, close } = conversation
  // From here on, the terminal doesn't show typed characters, so users can type as soon as they see the question.
  const reader = createInterface({ input, output: createSilence(), terminal: true })
  output.write(question)
  try {
    return await new Promise<string>((resolve, reject) => {
      const interrupt = () => reject(new Interrupted())
      reader.once('line', resolve)
      reader.once('SIGINT', interrupt)
      // Ctrl+D, or the end of input.
      reader.once('close', interrupt)
      terminal.signal.addEventListener('abort', interrupt, { once: true })
    })
  } finally {
    reader.close()
    output.write('\n')
    close()
  }
}

export const STDIN = '-'

export interface Input {
  /** The name of the file or of the folder with all files; null for standard input, and for files of several paths. */
  readonly fileName: string | null
  readonly text: string
  /** Bytes of UTF-8. */
  readonly size: number
  /** The encoding that the bytes had; null for UTF-8, which is kept as it is. */
  readonly convertedFrom: DecodedText['convertedFrom']
  /** Is null unless the text is an archive of them. */
  readonly files: readonly TextFile[] | null
}

const describeSource = (path: string): string => (path === STDIN ? 'Standard input' : path)

/** @throws CliError `input` for bytes that are neither UTF-8 nor UTF-16 with a byte order mark, and for none. */
export function decodeInput(bytes: Uint8Array, path: string): DecodedText {
  const source = describeSource(path)
  const archive = findArchiveFormat(bytes)
  if (archive !== null)
    throw new CliError('input', `${source} is a ${archive} archive. Name its files or their folder instead`)
  if (bytes.byteLength === 0) throw new CliError('input', `${source} is empty, so there’s nothing to share`)
  try {
    return decodeBytes(bytes)
  } catch {
    throw new CliError(
      'input',
      `${source} isn’t text in UTF-8. If it’s text in another encoding, convert it: ${CONVERT_COMMAND}`,
    )
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

/** @throws CliError `input` for what can't be read, or is too large for any server. */
export const readBytes = (path: string, { stdin, signal }: Terminal): Promise<Uint8Array> =>
  path === STDIN ? readAll(stdin, path, signal) : readFileBytes(path, signal)

/** @throws CliError `input` for what isn't text. */
export async function readInput(path: string, terminal: Terminal): Promise<Input> {
  return toInput(await readBytes(path, terminal), path)
}

function toInput(bytes: Uint8Array, path: string): Input {
  const { text, convertedFrom } = decodeInput(bytes, path)
  const size = convertedFrom === null ? bytes.byteLength : Buffer.byteLength(text)
  return { fileName: path === STDIN ? null : basename(path), text, size, convertedFrom, files: null }
}

/** Returns null at a terminal, and if nothing comes through the pipe. */
export async function readPipedText({ stdin, signal }: Terminal): Promise<Input | null> {
  if (stdin.isTTY) return null
  const bytes = await readAll(stdin, STDIN, signal)
  return bytes.byteLength === 0 ? null : toInput(bytes, STDIN)
}

type ProgramLine = readonly [program: string, ...args: string[]]

/** False if the program isn't installed or fails. */
function feed([program, ...args]: ProgramLine, text: string): Promise<boolean> {
  return new Promise((resolve) => {
    // Some clipboard programs go on in the background, and would keep a pipe open.
    const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'] })
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
    child.stdin?.once('error', () => resolve(false))
    child.stdin?.end(text)
  })
}

/** Best first. */
function listClipboardPrograms({ env, platform }: Terminal): readonly ProgramLine[] {
  if (platform === 'darwin') return [['pbcopy']]
  if (platform === 'win32') return [['clip']]
  return [
    ...(env.WAYLAND_DISPLAY ? [['wl-copy'] as const] : []),
    ...(env.DISPLAY
      ? ([
          ['xclip', '-selection', 'clipboard'],
          ['xsel', '--clipboard', '--input'],
        ] as const)
      : []),
    ...(env.WSL_DISTRO_NAME ? [['clip.exe'] as const] : []),
  ]
}

/**
 * Copies with the desktop's program, or else by asking the terminal (OSC 52), which works over SSH too. Returns how;
 * null if there's no way.
 */
export async function copyText(terminal: Terminal, text: string): Promise<'program' | 'terminal' | null> {
  for (const program of listClipboardPrograms(terminal)) if (await feed(program, text)) return 'program'
  const { env, stderr } = terminal
  if (!stderr.isTTY || env.TERM === 'dumb') return null
  stderr.write(`\x1B]52;c;${Buffer.from(text).toString('base64')}\x07`)
  return 'terminal'
}

function getBrowserLauncher(platform: NodeJS.Platform, url: string): ProgramLine {
  if (platform === 'darwin') return ['open', url]
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url]
  return ['xdg-open', url]
}

export function openInBrowser({ platform }: Terminal, url: string): Promise<boolean> {
  const [program, ...args] = getBrowserLauncher(platform, url)
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}

/** It may come with options: `code --wait`. */
export const getEditor = ({ env, platform }: Terminal): string =>
  env.VISUAL || env.EDITOR || (platform === 'win32' ? 'notepad' : 'vi')

/** Resolves once the editor has ended: to null, or to what went wrong. */
export function runEditor(terminal: Terminal, files: readonly string[]): Promise<string | null> {
  const { platform, stdout } = terminal
  const editor = getEditor(terminal)
  // Standard output may be a pipe, on which an editor can't show anything.
  const options: SpawnOptions = { stdio: ['inherit', stdout.isTTY ? 'inherit' : 2, 'inherit'] }
  return terminal.whileIgnoringInterrupts(
    () =>
      new Promise((resolve) => {
        const child =
          platform === 'win32'
            ? spawn([editor, ...files.map((file) => `"${file}"`)].join(' '), { ...options, shell: true })
            : spawn('/bin/sh', ['-c', `${editor} "$@"`, editor, ...files], options)
        child.once('error', ({ message }) => resolve(message))
        child.once('exit', (code, signal) =>
          resolve(code === 0 ? null : `${editor} ended with ${signal ?? `exit code ${code}`}`),
        )
      }),
  )
}
