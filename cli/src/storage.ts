import { createHash, randomUUID } from 'node:crypto'
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, posix, win32 } from 'node:path'
import type { Instant } from '../../src/shared/instant.ts'
import { CliError } from './exit-codes.ts'

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
}

const NAME = 'regent'

/** XDG folders must be absolute; others are ignored, as the XDG Base Directory Specification says. */
const absolute = (path: string | undefined): string | undefined =>
  path !== undefined && posix.isAbsolute(path) ? path : undefined

function getFolder(
  { env, platform }: Surroundings,
  xdg: string,
  fallback: string,
  windows: 'APPDATA' | 'LOCALAPPDATA',
): string {
  const home = env.HOME ?? env.USERPROFILE ?? homedir()
  if (platform === 'win32') {
    const roaming = windows === 'APPDATA' ? 'Roaming' : 'Local'
    return win32.join(env[windows] ?? win32.join(home, 'AppData', roaming), NAME)
  }
  const chosen = absolute(env[xdg])
  if (chosen) return posix.join(chosen, NAME)
  return platform === 'darwin'
    ? posix.join(home, 'Library', 'Application Support', NAME)
    : posix.join(home, fallback, NAME)
}

/** The file with the API keys is here. */
export const getConfigFolder = (surroundings: Surroundings): string =>
  getFolder(surroundings, 'XDG_CONFIG_HOME', '.config', 'APPDATA')

/** The document tokens are here, and texts that couldn't be saved. */
export const getStateFolder = (surroundings: Surroundings): string =>
  getFolder(surroundings, 'XDG_STATE_HOME', '.local/state', 'LOCALAPPDATA')

/** Only the user may read the files, which contain secrets. */
const FILE_MODE = 0o600
const FOLDER_MODE = 0o700
const OTHERS = 0o077

const getCode = (error: unknown): string => String((error as { code?: unknown }).code)

/**
 * Readers see the old or the new text, never a part: it's written beside the file, then renamed.
 *
 * @throws CliError `failure` if it can't be written.
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const folder = dirname(path)
  const draft = join(folder, `.${randomUUID()}.tmp`)
  try {
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
    const file = await open(draft, 'wx', FILE_MODE)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw new CliError('failure', `Can’t write ${path} (${getCode(error)})`)
  }
}

/**
 * If others can read the file, takes that right from them.
 *
 * @returns null if there is no file.
 * @throws CliError `failure` if it can't be read.
 */
async function readPrivateFile(path: string): Promise<string | null> {
  try {
    const { mode } = await stat(path)
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0) await chmod(path, FILE_MODE)
    return await readFile(path, 'utf8')
  } catch (error) {
    if (getCode(error) === 'ENOENT') return null
    throw new CliError('failure', `Can’t read ${path} (${getCode(error)})`)
  }
}

export interface Config {
  /** The server to use unless an option or variable names one: its origin. */
  readonly server: string | null
  /** API keys by the origins of their servers. A key is never sent to another server. */
  readonly keys: Readonly<Record<string, string>>
}

const EMPTY: Config = { server: null, keys: {} }

export const getConfigFile = (surroundings: Surroundings): string =>
  join(getConfigFolder(surroundings), 'config.json')

function parseConfig(text: string): Config | null {
  try {
    const { server = null, keys = {} } = JSON.parse(text)
    const valid =
      (server === null || typeof server === 'string') &&
      typeof keys === 'object' &&
      keys !== null &&
      Object.values(keys).every((key) => typeof key === 'string')
    return valid ? { server, keys } : null
  } catch {
    return null
  }
}

/** @throws CliError for a damaged file, which is never overwritten. */
export async function readConfig(surroundings: Surroundings): Promise<Config> {
  const path = getConfigFile(surroundings)
  const text = await readPrivateFile(path)
  if (text === null) return EMPTY
  const config = parseConfig(text)
  if (!config) throw new CliError('failure', `${path} is damaged. Fix it, or delete it and sign in again`)
  return config
}

export async function updateConfig(
  surroundings: Surroundings,
  change: (config: Config) => Config,
): Promise<void> {
  const config = change(await readConfig(surroundings))
  await writePrivateFile(getConfigFile(surroundings), `${JSON.stringify(config, null, 2)}\n`)
}

/** A document that was created on this machine without an account. */
export interface RememberedDocument {
  readonly server: string
  readonly id: string
  readonly token: string
  /** Is null if it has none, like every encrypted document. */
  readonly title: string | null
  /** Bytes of UTF-8. */
  readonly size: number
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

const getDocumentsFolder = (surroundings: Surroundings): string =>
  join(getStateFolder(surroundings), 'documents')

/**
 * Each document has a file of its own, so that programs that run at the same time don't overwrite each other's. Ids are
 * case-sensitive, but file names may not be.
 */
const getFile = (surroundings: Surroundings, server: string, id: string): string => {
  const name = createHash('sha256').update(`${server}\n${id}`).digest('hex').slice(0, 32)
  return join(getDocumentsFolder(surroundings), `${name}.json`)
}

function parseDocument(text: string | null): RememberedDocument | null {
  try {
    const document = JSON.parse(text ?? 'null')
    const valid =
      ['server', 'id', 'token'].every((name) => typeof document?.[name] === 'string') &&
      ['size', 'createdAt', 'expiresAt'].every((name) => typeof document[name] === 'number') &&
      (document.title === null || typeof document.title === 'string')
    return valid ? document : null
  } catch {
    return null
  }
}

export const rememberDocument = (surroundings: Surroundings, document: RememberedDocument): Promise<void> =>
  writePrivateFile(
    getFile(surroundings, document.server, document.id),
    `${JSON.stringify(document, null, 2)}\n`,
  )

export const forgetDocument = (surroundings: Surroundings, server: string, id: string): Promise<void> =>
  rm(getFile(surroundings, server, id), { force: true })

export async function findRememberedDocument(
  surroundings: Surroundings,
  server: string,
  id: string,
): Promise<RememberedDocument | null> {
  return parseDocument(await readPrivateFile(getFile(surroundings, server, id)))
}

/** Lists the documents that this machine remembers, the newest first. Deletes the files of all that have expired. */
export async function listRememberedDocuments(
  surroundings: Surroundings,
  server: string,
  now: Instant,
): Promise<readonly RememberedDocument[]> {
  const folder = getDocumentsFolder(surroundings)
  const names = await readdir(folder).catch(() => [])
  const found = await Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .map(async (name) => {
        const path = join(folder, name)
        const document = parseDocument(await readPrivateFile(path))
        if (!document || document.expiresAt > now) return document
        await rm(path, { force: true })
        return null
      }),
  )
  return found
    .filter((document) => document !== null)
    .filter((document) => document.server === server)
    .sort((one, other) => other.createdAt - one.createdAt)
}
