import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs, parseEnv } from 'node:util'
import { getVariables, NEEDED, readConfig, requireValid, type Variables } from '../support/config.ts'
import { ROOT } from '../support/script.ts'

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
