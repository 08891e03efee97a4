import { PassThrough, Readable } from 'node:stream'
import { Interrupted } from '../../../cli/src/exit-codes.ts'
import { run } from '../../../cli/src/run.ts'
import type { Terminal } from '../../../cli/src/terminal.ts'

interface Options {
  readonly stdin?: string | Uint8Array
  readonly env?: Readonly<Record<string, string>>
  /** What the person types at the terminal, line by line. Without it, there is no terminal. */
  readonly typed?: readonly string[]
  readonly platform?: NodeJS.Platform
}

/** A stream that keeps what is written to it. */
function createSink(isTTY: boolean) {
  const stream = Object.assign(new PassThrough(), { isTTY })
  let text = ''
  stream.on('data', (chunk) => {
    text += chunk
  })
  return { stream, text: () => text }
}

/** A terminal whose streams are in memory, so that commands run in the tests' own process. */
export function createFakeTerminal({ stdin = '', env = {}, typed, platform = 'linux' }: Options = {}) {
  const isTTY = typed !== undefined
  const [stdout, stderr] = [createSink(isTTY), createSink(isTTY)]
  const interruption = new AbortController()
  const lines = [...(typed ?? [])]
  const terminal: Terminal = {
    env,
    platform,
    stdin: Object.assign(Readable.from([Buffer.from(stdin)]), { isTTY }),
    stdout: stdout.stream,
    stderr: stderr.stream,
    signal: interruption.signal,
    now: () => Date.UTC(2026, 10, 22),
    openConversation: () =>
      typed === undefined
        ? null
        : { input: Readable.from([`${lines.shift() ?? ''}\n`]), output: stderr.stream, close: () => {} },
    whileIgnoringInterrupts: (runIt) => runIt(),
  }
  return {
    terminal,
    stdout: stdout.text,
    stderr: stderr.text,
    interrupt: () => interruption.abort(new Interrupted()),
  }
}

/** Runs a command line in this process. */
export async function runHere(args: readonly string[], options: Options = {}) {
  const fake = createFakeTerminal(options)
  const code = await run(args, fake.terminal)
  return { code, stdout: fake.stdout(), stderr: fake.stderr() }
}
