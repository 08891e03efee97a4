import type { Sink, Terminal } from './terminal.ts'

export interface Output {
  /** Resolves once the text is written to standard output. */
  readonly print: (text: string) => Promise<void>
  readonly note: (text: string) => void
  readonly error: (text: string) => void
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
  return {
    print: (text) =>
      new Promise((resolve, reject) => stdout.write(text, (error) => (error ? reject(error) : resolve()))),
    note: (text) => {
      if (!quiet) writeLine(text)
    },
    error: (text) => {
      const name = mayColour(terminal, stderr) ? `${RED}regent:${RESET}` : 'regent:'
      writeLine(`${name} ${text}`)
    },
  }
}
