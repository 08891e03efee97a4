import { openSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { Writable } from 'node:stream'
import { ReadStream, WriteStream } from 'node:tty'
import { EXIT_CODES, Interrupted } from './exit-codes.ts'
import { run } from './run.ts'
import type { Conversation, Terminal } from './terminal.ts'

const { stdin, stderr, env, platform } = process

/** Node's own stream to a file takes no notice if a full disk takes only a part of a text. */
function openStandardOutput(): Terminal['stdout'] {
  const { stdout } = process
  // Terminals and pipes are sockets.
  if (stdout instanceof Socket) return stdout
  return new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      try {
        writeFileSync(1, chunk)
        done()
      } catch (error) {
        done(error as Error)
      }
    },
  })
}

const stdout = openStandardOutput()

/** Opens the terminal that the program was started in, even if standard input is a pipe. */
function openConversation(): Conversation | null {
  if (stdin.isTTY && stderr.isTTY) return { input: stdin, output: stderr, close: () => stdin.pause() }
  if (platform === 'win32') return null
  try {
    const input = new ReadStream(openSync('/dev/tty', 'r'))
    const output = new WriteStream(openSync('/dev/tty', 'w'))
    return {
      input,
      output,
      close: () => {
        input.destroy()
        output.end()
      },
    }
  } catch {
    // Started by a service or another program, not at a terminal.
    return null
  }
}

const interruption = new AbortController()
let ignoring = 0

function interrupt(): void {
  if (ignoring > 0) return
  // The second time, somebody is in a hurry.
  if (interruption.signal.aborted) process.exit(EXIT_CODES.interrupted)
  interruption.abort(new Interrupted())
}

const terminal: Terminal = {
  env,
  platform,
  stdin,
  stdout,
  stderr,
  signal: interruption.signal,
  now: Date.now,
  openConversation,
  whileIgnoringInterrupts: async (runIt) => {
    ignoring += 1
    try {
      return await runIt()
    } finally {
      ignoring -= 1
    }
  },
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt)
// What prints reports errors.
stdout.on('error', () => {})

try {
  process.exit(await run(process.argv.slice(2), terminal))
} catch (error) {
  stderr.write(`regent: This is a bug. ${error instanceof Error ? error.stack : error}\n`)
  process.exit(EXIT_CODES.failure)
}
