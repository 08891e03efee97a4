import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { CONTENTS_FILE, DATABASE_FILE } from '../../server/folder.ts'
import { readSettings, SettingsError } from '../../server/settings.ts'
import { isLocal } from '../../src/platform/addresses.ts'
import { formatSize } from '../../src/shared/format.ts'
import { openServerStorage, withServerFiles } from '../support/one-machine.ts'
import { checkSchema } from './check-account.ts'
import { advice, checkHttps, type Finding, ok, problem } from './check-config.ts'

/** Checks of a server on one machine. */

/** Checks what `npm start` would read here. */
export function checkServerSettings(folder: string): Finding[] {
  try {
    const { variables, smtpUrl } = readSettings(['--data', folder], process.env)
    const { SITE_URL = '', GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET, OIDC_ISSUER } = variables
    const canSignIn = smtpUrl !== null || (GITHUB_CLIENT_ID && GITHUB_CLIENT_SECRET) || OIDC_ISSUER
    return [
      ok('Settings: all values are valid'),
      ...(SITE_URL === '' || isLocal(SITE_URL.replace(/\/+$/, '')) ? [] : [checkHttps(SITE_URL)]),
      canSignIn
        ? ok('Sign-in: set up')
        : advice(
            'Neither email nor GitHub nor single sign-on is set up in this environment, so nobody can sign in.',
            'Set SMTP_URL and MAIL_FROM, the OAuth app of GitHub, or OIDC_ISSUER. Accounts exist on the command line anyway.',
          ),
    ]
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    return error.mistakes.map((mistake) =>
      problem(`${mistake}.`, 'Correct it in regent.toml or in the environment.'),
    )
  }
}

async function checkAccess(folder: string): Promise<Finding> {
  const { mode } = await stat(folder)
  return process.platform === 'win32' || (mode & 0o077) === 0
    ? ok('Permissions: only its owner can read it')
    : problem('Other users of this machine can read the folder.', `Run: chmod 700 ${folder}`)
}

/** SQLite reads every page, which takes about a second for a gigabyte. Content may be much larger, and isn't read. */
const checkDatabase = (folder: string): Promise<Finding> =>
  withServerFiles(folder, async (_, database) => {
    const result = database.prepare('PRAGMA quick_check(1)').get()?.quick_check
    return result === 'ok'
      ? ok(`${DATABASE_FILE}: undamaged`)
      : problem(
          `${DATABASE_FILE} is damaged: ${String(result).split('\n', 2).join(' ')}`,
          'Restore a backup into another folder. See docs/recovery.md.',
        )
  })

/** An upgrade copies the database first. */
async function checkSpace(folder: string): Promise<Finding> {
  // What has been written lately is in a log beside each file.
  const getSize = async (name: string) => {
    const log = await stat(join(folder, `${name}-wal`)).catch(() => ({ size: 0 }))
    return (await stat(join(folder, name))).size + log.size
  }
  const [rows, contents] = [await getSize(DATABASE_FILE), await getSize(CONTENTS_FILE)]
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const text = `Rows: ${formatSize(rows)}, content: ${formatSize(contents)}, free on the disk: ${formatSize(free)}`
  if (free > 2 * rows + 100_000_000) return ok(text)
  return problem(`${text}. When it is full, nobody can create documents.`, 'Make room on the disk.')
}

/** Checks the folder of a server, also while the server runs. @throws CommandError if it can't be read. */
export async function checkServerFolder(folder: string, migrations: readonly string[]): Promise<Finding[]> {
  const database = await checkDatabase(folder)
  return [
    await checkAccess(folder),
    database,
    await checkSpace(folder),
    ...(await checkSchema({
      storage: openServerStorage(folder),
      migrations,
      upgrade: `npm start -- --data ${folder}`,
      option: `--data ${folder}`,
    })),
  ]
}
