import { constants } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { CommandError, ROOT } from '../support/wrangler.ts'

export const HOST = '127.0.0.1'

const OWN_OPTIONS = ['port', 'persist-to']

interface DevOptions {
  readonly help: boolean
  readonly port: number
  /** The folder that holds the local database. */
  readonly folder: string
  /** Options for wrangler. */
  readonly others: readonly string[]
}

/** Parses the options of `npm run dev`. Throws a CommandError if the port isn't valid. */
export function parseOptions(args: readonly string[]): DevOptions {
  const { values, tokens } = parseArgs({
    args: [...args],
    strict: false,
    tokens: true,
    options: { port: { type: 'string' }, 'persist-to': { type: 'string' }, help: { type: 'boolean' } },
  })
  const own = new Set(
    tokens.flatMap((token) => {
      if (token.kind !== 'option' || !OWN_OPTIONS.includes(token.name)) return []
      return token.inlineValue ? [token.index] : [token.index, token.index + 1]
    }),
  )
  const port = Number(values.port ?? 8787)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new CommandError(`Not a valid port: ${values.port}. Use a number from 1 to 65535.`)
  }
  return {
    help: values.help === true,
    port,
    folder: resolve(String(values['persist-to'] ?? join(ROOT, '.wrangler/state'))),
    others: args.filter((_, index) => !own.has(index)),
  }
}

/** Throws a CommandError if the port is in use. */
export async function requireFreePort(port: number): Promise<void> {
  await new Promise<void>((done, fail) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'is in use' : `can't be used (${error.code})`
      fail(new CommandError(`Port ${port} ${reason}. Choose another one: npm run dev -- --port N`))
    })
    server.listen(port, HOST, () => server.close(() => done()))
  })
}

/** Creates a folder if necessary. Throws a CommandError if it can't be written to. */
export async function requireWritable(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CommandError(
      `Can't write to ${folder} (${code}). Choose another folder: npm run dev -- --persist-to DIR`,
    )
  }
}
