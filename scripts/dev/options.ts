import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { createServer, isIP } from 'node:net'
import os from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs, parseEnv } from 'node:util'
import { getVariables, NEEDED, readConfig, requireValid, type Variables } from '../support/config.ts'
import { DEFAULT_FOLDER } from '../support/data-folder.ts'
import { ROOT } from '../support/script.ts'
import { CommandError } from '../support/wrangler.ts'

/** Returns the secret that signs sessions. It's stored beside the database, so that people stay signed in. */
async function readSecret(folder: string): Promise<string> {
  const file = join(folder, 'auth-secret')
  const present = await readFile(file, 'utf8').catch(() => null)
  if (present !== null) return present
  const secret = randomBytes(32).toString('base64url')
  await writeFile(file, secret, { mode: 0o600, flag: 'wx' })
  return secret
}

interface VarOptions {
  /** The variables that options such as `--var NAME:value` set. */
  readonly values: Variables
  readonly envFiles: readonly string[]
}

function parseVarOptions(others: readonly string[]): VarOptions {
  const { values } = parseArgs({
    args: [...others],
    strict: false,
    options: { var: { type: 'string', multiple: true }, 'env-file': { type: 'string', multiple: true } },
  })
  const entries = (values.var ?? []).map((entry): [string, string] => {
    const [name = '', ...value] = String(entry).split(':')
    return [name, value.join(':')]
  })
  return { values: Object.fromEntries(entries), envFiles: (values['env-file'] ?? []).map(String) }
}

/** Returns what a local service needs, and what it can't use of the settings of a deployed one. */
async function getOwnVars(folder: string, settings: Variables, chosen: Variables): Promise<Variables> {
  const unusable = Object.entries(NEEDED).filter(
    ([secret, variable]) => settings[variable] && !chosen[secret],
  )
  return {
    AUTH_SECRET: await readSecret(folder),
    MAIL_FROM: 'terminal',
    // Links lead to this machine.
    ...(settings.SITE_URL && { SITE_URL: '' }),
    ...Object.fromEntries(unusable.map(([, variable]) => [variable, ''])),
  }
}

interface LocalVarsOptions {
  /** Where the service stores its data. */
  readonly folder: string
  /** The options that the user passes on to wrangler. */
  readonly others?: readonly string[]
  /** The folder of `.dev.vars`. */
  readonly root?: string
  /** The variables of the configuration. */
  readonly settings?: Variables
}

/**
 * Returns options that set the variables that neither the files of wrangler nor the other options set. They are in a
 * file that only its owner can read, because everyone on this machine can see the options of a process.
 *
 * @throws CommandError with one line for each mistake in the variables that the service gets.
 */
export async function getLocalVars({
  folder,
  others = [],
  root = ROOT,
  settings = getVariables(readConfig()),
}: LocalVarsOptions): Promise<string[]> {
  const { values, envFiles } = parseVarOptions(others)
  const devVars = join(root, '.dev.vars')
  const readVars = async (path: string) => parseEnv(await readFile(path, 'utf8').catch(() => '')) as Variables
  // With `--env-file`, wrangler doesn't read its usual files.
  const files = envFiles.length > 0 ? envFiles.map((path) => resolve(path)) : [devVars]
  const present = Object.assign({}, ...(await Promise.all(files.map(readVars)))) as Variables
  const vars = await getOwnVars(folder, settings, { ...present, ...values })
  const missing = Object.entries(vars).filter(([name]) => values[name] === undefined && !present[name])
  requireValid({ ...settings, ...present, ...Object.fromEntries(missing), ...values }, [])
  if (missing.length === 0) return []
  const file = join(folder, 'vars.env')
  await writeFile(file, missing.map(([name, value]) => `${name}=${value}\n`).join(''), { mode: 0o600 })
  // The mode above is only for a new file.
  await chmod(file, 0o600)
  // A later file wins: over the empty values of a copied .dev.vars.example, but not over the files of the user.
  const hasDevVars = envFiles.length === 0 && existsSync(devVars)
  return (hasDevVars ? [devVars, file] : [file]).flatMap((path) => ['--env-file', path])
}

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
  /** Is true if everything that wrangler prints is shown. */
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

/**
 * Returns the environment that keeps wrangler from listening for a debugger, unless an option asks for it. Wrangler has no
 * option for that: it leaves it to the debugger of VS Code, which sets this variable.
 */
export const getDebuggerEnv = (others: readonly string[]): Readonly<Record<string, string>> =>
  others.some((option) => /^--inspector/.test(option))
    ? {}
    : { VSCODE_INSPECTOR_OPTIONS: process.env.VSCODE_INSPECTOR_OPTIONS ?? '{}' }

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
