import { type SpawnOptions, spawn } from 'node:child_process'
import type { Terminal } from './terminal.ts'

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
const getEditor = ({ env, platform }: Terminal): string =>
  env.VISUAL || env.EDITOR || (platform === 'win32' ? 'notepad' : 'vi')

/** Resolves once the editor has ended: to null, or to what went wrong. */
export function runEditor(terminal: Terminal, file: string): Promise<string | null> {
  const { platform, stdout } = terminal
  const editor = getEditor(terminal)
  // Standard output may be a pipe, on which an editor can't show anything.
  const options: SpawnOptions = { stdio: ['inherit', stdout.isTTY ? 'inherit' : 2, 'inherit'] }
  return terminal.whileIgnoringInterrupts(
    () =>
      new Promise((resolve) => {
        const child =
          platform === 'win32'
            ? spawn(`${editor} "${file}"`, { ...options, shell: true })
            : spawn('/bin/sh', ['-c', `${editor} "$@"`, editor, file], options)
        child.once('error', ({ message }) => resolve(message))
        child.once('exit', (code, signal) =>
          resolve(code === 0 ? null : `${editor} ended with ${signal ?? `exit code ${code}`}`),
        )
      }),
  )
}
