import { randomBytes } from 'node:crypto'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs, parseEnv } from 'node:util'
import { ROOT } from '../support/wrangler.ts'

/** Returns the secret that signs sessions. It's stored beside the database, so that people stay signed in. */
async function readSecret(folder: string): Promise<string> {
  const file = join(folder, 'auth-secret')
  const present = await readFile(file, 'utf8').catch(() => null)
  if (present !== null) return present
  const secret = randomBytes(32).toString('base64url')
  await writeFile(file, secret, { mode: 0o600, flag: 'wx' })
  return secret
}

/** Returns the variables that options such as `--var NAME:value` and `--env-file FILE` set. */
function parseVarOptions(others: readonly string[]): { names: ReadonlySet<string>; hasEnvFile: boolean } {
  const { values } = parseArgs({
    args: [...others],
    strict: false,
    options: { var: { type: 'string', multiple: true }, 'env-file': { type: 'string', multiple: true } },
  })
  const names = (values.var ?? []).map((entry) => String(entry).split(':', 1)[0] ?? '')
  return { names: new Set(names), hasEnvFile: values['env-file'] !== undefined }
}

/**
 * Returns options that set the variables that neither the files of wrangler nor the other options set. They are in a
 * file that only its owner can read, because everyone on this machine can see the options of a process.
 *
 * @param others the options that the user passes on to wrangler.
 * @param root the folder of `.dev.vars`.
 */
export async function getLocalVars(
  folder: string,
  others: readonly string[],
  root: string = ROOT,
): Promise<string[]> {
  const { names, hasEnvFile } = parseVarOptions(others)
  const devVars = join(root, '.dev.vars')
  // With `--env-file`, wrangler doesn't read its usual files.
  const text = hasEnvFile ? null : await readFile(devVars, 'utf8').catch(() => null)
  const present = parseEnv(text ?? '')
  const vars = { AUTH_SECRET: await readSecret(folder), MAIL_FROM: 'terminal' }
  const missing = Object.entries(vars).filter(([name]) => !names.has(name) && !present[name])
  if (missing.length === 0) return []
  const file = join(folder, 'vars.env')
  await writeFile(file, missing.map(([name, value]) => `${name}=${value}\n`).join(''), { mode: 0o600 })
  // The mode above is only for a new file.
  await chmod(file, 0o600)
  // A later file wins: over the empty values of a copied .dev.vars.example, but not over the files of the user.
  return (text === null ? [file] : [devVars, file]).flatMap((path) => ['--env-file', path])
}
