import { createServer, isIP } from 'node:net'
import os from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { DEFAULT_FOLDER } from '../support/data-folder.ts'
import { CommandError } from '../support/wrangler.ts'

const OWN_OPTIONS = {
  port: { type: 'string' },
  ip: { type: 'string' },
  'persist-to': { type: 'string' },
  verbose: { type: 'boolean' },
} as const

const OTHER_SERVICE = 'it runs this project, on this machine.'

/** Options of wrangler that don't work here, and why. */
const REFUSED_OPTIONS: Readonly<Record<string, string>> = {
  remote: OTHER_SERVICE,
  tunnel: OTHER_SERVICE,
  'tunnel-name': OTHER_SERVICE,
  config: OTHER_SERVICE,
  env: OTHER_SERVICE,
  cwd: OTHER_SERVICE,
  'live-reload': 'the pages allow no script but their own. Reload them in the browser.',
}
const SHORT_OPTIONS: Readonly<Record<string, string>> = { r: 'remote', c: 'config', e: 'env' }

/** Which addresses a service listens on, and at which one this machine reaches it. */
export interface Listening {
  /** An IP address, or "localhost". */
  readonly ip: string
  readonly port: number
  /** The address that this machine uses, without a trailing slash. */
  readonly base: string
  /** Addresses that other devices use. */
  readonly others: readonly string[]
}

export interface DevOptions {
  readonly help: boolean
  readonly listening: Listening
  /** The folder that holds the local database. */
  readonly folder: string
  /** Whether to show everything that wrangler prints. */
  readonly verbose: boolean
  /** Options for wrangler. */
  readonly others: readonly string[]
}

const isEveryAddress = (ip: string) => ip === '0.0.0.0' || ip === '::'

/** Returns true for one address in a network, but not for a loopback address or for every address. */
export const isNetworkAddress = (ip: string): boolean =>
  !isEveryAddress(ip) && ip !== 'localhost' && ip !== '::1' && !ip.startsWith('127.')

const toUrl = (protocol: string, ip: string, port: number) =>
  `${protocol}://${isIP(ip) === 6 ? `[${ip}]` : ip}:${port}`

/** Returns the addresses of this machine in its networks. Links to addresses with a zone (fe80::1%eth0) don't work in browsers. */
function listNetworkAddresses(ip: string): string[] {
  return Object.values(os.networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family, address }) => {
      const isUsable = !internal && !/^fe[89ab]/i.test(address)
      return isUsable && (family === 'IPv4' || ip === '::')
    })
    .map(({ address }) => address)
}

function parseListening(ip: string, portText: string, protocol: string): Listening {
  const port = Number(portText)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new CommandError(`Not a valid port: ${portText}. Use a number from 1 to 65535.`)
  }
  if (ip !== 'localhost' && isIP(ip) === 0) {
    throw new CommandError(`Not an IP address: ${ip}. For every address of this machine, use 0.0.0.0 or ::`)
  }
  const local = ip === '0.0.0.0' ? '127.0.0.1' : ip === '::' ? '::1' : ip
  const others = isEveryAddress(ip) ? listNetworkAddresses(ip) : isNetworkAddress(ip) ? [ip] : []
  return {
    ip,
    port,
    base: toUrl(protocol, local, port),
    others: others.map((other) => toUrl(protocol, other, port)),
  }
}

/** Parses the options of `npm run dev`. Throws a CommandError if one of them isn't valid. */
export function parseOptions(args: readonly string[]): DevOptions {
  const { values, tokens } = parseArgs({
    args: [...args],
    strict: false,
    tokens: true,
    options: {
      ...OWN_OPTIONS,
      help: { type: 'boolean' },
      'local-protocol': { type: 'string' },
      'log-level': { type: 'string' },
    },
  })
  const options = tokens.filter((token) => token.kind === 'option')
  for (const { name, rawName } of options) {
    const reason = REFUSED_OPTIONS[SHORT_OPTIONS[name] ?? name]
    if (reason !== undefined) throw new CommandError(`npm run dev doesn't take ${rawName}: ${reason}`)
  }
  const own = new Set(
    options.flatMap(({ name, index, inlineValue, value }) => {
      if (!Object.hasOwn(OWN_OPTIONS, name)) return []
      return inlineValue || value === undefined ? [index] : [index, index + 1]
    }),
  )
  return {
    help: values.help === true,
    listening: parseListening(
      String(values.ip ?? '127.0.0.1'),
      String(values.port ?? 8787),
      values['local-protocol'] === 'https' ? 'https' : 'http',
    ),
    folder: resolve(String(values['persist-to'] ?? DEFAULT_FOLDER)),
    verbose: values.verbose === true || values['log-level'] !== undefined,
    others: args.filter((_, index) => !own.has(index)),
  }
}

/** Throws a CommandError if the address can't be listened on. */
export async function requireFreePort({ port, ip }: Pick<Listening, 'port' | 'ip'>): Promise<void> {
  await new Promise<void>((done, fail) => {
    const server = createServer()
    server.once('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT') {
        fail(
          new CommandError(
            `This machine doesn't have the address ${ip}. For all of its addresses: --ip 0.0.0.0`,
          ),
        )
        return
      }
      const reason = code === 'EADDRINUSE' ? 'is in use' : `can't be used (${code})`
      fail(new CommandError(`Port ${port} ${reason}. Choose another one: npm run dev -- --port N`))
    })
    server.listen(port, ip, () => server.close(() => done()))
  })
}
