import { chmodSync, closeSync, constants, openSync } from 'node:fs'
import { access, chmod, mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CommandError, ROOT } from './script.ts'

/** Where `npm run dev` stores its data by default. */
export const DEFAULT_FOLDER = join(ROOT, '.wrangler/state')

/** The file that locks the folder. It says which process holds the lock. */
const LOCK_FILE = 'dev-server.sqlite'

export const DATABASES = 'v3/d1/miniflare-D1DatabaseObject'
export const NAMESPACES = 'v3/kv/miniflare-KVNamespaceObject'
const CONTENTS = 'v3/kv/CONTENTS/blobs'

/** Where wrangler records requests, with their URLs, if it isn't told not to. */
const TRACES = 'v3/observability'

/** Names in a folder that holds nothing but our data. */
const OWN_NAMES = new Set(['v3', 'auth-secret', 'vars.env', LOCK_FILE, `${LOCK_FILE}-journal`])

/** Lets only its owner open a folder. A folder of somebody else is left as it is. */
export async function closeToOthers(folder: string): Promise<void> {
  const { mode, uid } = await stat(folder)
  const isOwn = process.getuid === undefined || process.getuid() === uid
  if (isOwn && (mode & 0o077) !== 0) await chmod(folder, 0o700)
}

/**
 * Creates an empty file that only its owner can read. SQLite gives the files beside a database the mode of the database. An existing
 * file stays as it is. If the file can't be created, opening it says why.
 */
export async function createPrivately(path: string): Promise<void> {
  await writeFile(path, '', { flag: 'wx', mode: 0o600 }).catch(() => {})
}

/**
 * Creates a folder for data that only its owner can read. An existing one is closed to others too. If it contains other
 * files, such as a home directory does, only our part of it is.
 */
export async function prepareDataFolder(folder: string): Promise<void> {
  try {
    await mkdir(join(folder, 'v3'), { recursive: true, mode: 0o700 })
    await access(folder, constants.W_OK)
    await closeToOthers(join(folder, 'v3'))
    if ((await readdir(folder)).every((name) => OWN_NAMES.has(name))) await closeToOthers(folder)
    // An earlier version recorded them, readable by everyone.
    await rm(join(folder, TRACES), { recursive: true, force: true })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CommandError(`Can't write to ${folder} (${code}). Choose another folder: --persist-to DIR`)
  }
}

const isBusy = (error: unknown) => error instanceof Error && /locked|busy/i.test(error.message)

interface LockOptions {
  readonly file: string
  readonly option: string
}

/**
 * Keeps servers and commands that replace data off a folder. The operating system ends the lock with the process, however
 * it ends.
 *
 * @param holder the address of the server, or the command, for the message that a second one prints.
 * @param option how to choose another folder, for the same message.
 * @returns a function that gives up the lock.
 * @throws CommandError that names the process that holds the lock, if there is one.
 */
export function lockDataFolder(
  folder: string,
  holder: string,
  { file: name, option }: LockOptions = { file: LOCK_FILE, option: '--persist-to DIR' },
): () => void {
  const file = join(folder, name)
  let db: DatabaseSync | undefined
  try {
    // SQLite would let everyone read it. An earlier version did.
    closeSync(openSync(file, 'a', 0o600))
    chmodSync(file, 0o600)
    db = new DatabaseSync(file)
    db.exec('BEGIN IMMEDIATE')
    db.exec('DROP TABLE IF EXISTS server; CREATE TABLE server (pid INTEGER, address TEXT) STRICT')
    db.prepare('INSERT INTO server VALUES (?, ?)').run(process.pid, holder)
    // Others can read who holds the lock while the next transaction, which never ends, keeps them from taking it.
    db.exec('COMMIT; BEGIN IMMEDIATE')
    const locked = db
    return () => locked.close()
  } catch (error) {
    try {
      if (!isBusy(error)) throw new CommandError(explainLockFault(file, (error as Error).message))
      const other = db?.prepare('SELECT pid, address FROM server').get()
      throw new CommandError(
        `${folder} is in use by ${other?.address} (process ${other?.pid}). ` +
          `Stop that, or choose another folder: ${option}`,
      )
    } finally {
      db?.close()
    }
  }
}

const explainLockFault = (file: string, message: string): string =>
  /not a database|malformed/.test(message)
    ? `${file} is damaged (${message}). Delete it, and try again.`
    : `Can't write to ${file} (${message}). Check the disk, and the permissions of its folder.`

const listDatabases = async (folder: string): Promise<string[]> => {
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => name.endsWith('.sqlite')).map((name) => join(folder, name))
}

/** Returns the error for a folder in which no service has stored anything, such as a misspelt one. */
export const noDatabase = (folder: string): CommandError =>
  new CommandError(
    `${folder} holds no database. Check the path (--persist-to DIR), or create one: npm run dev -- --persist-to ${folder}. The folder of npm start: --data DIR`,
  )

/** Throws a CommandError if the folder of a local service holds no database. Creates nothing. */
export async function requireDatabase(folder: string): Promise<void> {
  const databases = await listDatabases(join(folder, DATABASES))
  if (databases.every((file) => basename(file) === 'metadata.sqlite')) throw noDatabase(folder)
}

/** Opens a database and runs a check on it. Returns what is wrong with it, or null. */
function findDamage(file: string, check: (db: DatabaseSync) => string | null): string | null {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(file, { readOnly: true })
    return check(db)
  } catch (error) {
    return isBusy(error) ? null : (error as Error).message
  } finally {
    db?.close()
  }
}

const readSchema = (db: DatabaseSync) => {
  db.prepare('SELECT count(*) FROM sqlite_master').get()
  return null
}

/** Reads every page of a database, which takes about a second for a gigabyte. */
const readEverything = (db: DatabaseSync) => {
  const found = db.prepare('PRAGMA quick_check(1)').get()?.quick_check
  return found === 'ok' ? null : String(found).split('\n', 2).join(' ')
}

const hasEntries = (db: DatabaseSync) =>
  db.prepare("SELECT 1 FROM sqlite_master WHERE name = '_mf_entries'").get() &&
  db.prepare('SELECT 1 FROM _mf_entries WHERE key LIKE ?').get('content/%')
    ? 'has entries'
    : null

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

/** Returns true if a file can't be read by this user. SQLite's own message doesn't say so. */
const findAccessError = (file: string): Promise<string | null> =>
  open(file, 'r+').then(
    (handle) => handle.close().then(() => null),
    (error: NodeJS.ErrnoException) => error.code ?? String(error),
  )

const RECOVERY = (folder: string) =>
  `Move ${folder} away, then restore a backup into a new one (npm run restore -- --help), or start without data.`

/** Finds a damaged file of the storage in a folder, and says what to do. Returns null if there is none. */
export async function findDamagedFile(
  folder: string,
  { thorough = false }: { readonly thorough?: boolean } = {},
): Promise<string | null> {
  const databases = await listDatabases(join(folder, DATABASES))
  const namespaces = await listDatabases(join(folder, NAMESPACES))
  for (const file of [...databases, ...namespaces]) {
    const denied = await findAccessError(file)
    if (denied !== null)
      return `Can't read and write ${file} (${denied}). Check its owner and its permissions.`
    const damage = findDamage(file, thorough ? readEverything : readSchema)
    if (damage !== null) return `${file} is damaged (${damage}). ${RECOVERY(folder)}`
  }
  const hasContents = namespaces.some((file) => findDamage(file, hasEntries) !== null)
  if (!hasContents) return null
  if (!(await isThere(join(folder, CONTENTS)))) {
    return `The content of the documents is missing: ${join(folder, CONTENTS)}. ${RECOVERY(folder)}`
  }
  for (const file of databases) {
    const isEmpty = (await stat(file)).size === 0 && !(await isThere(`${file}-wal`))
    if (isEmpty) return `${file} is empty, though there are documents. ${RECOVERY(folder)}`
  }
  return null
}

/** The meaning of SQLite's error codes for the person at the terminal. */
const FAULTS: readonly (readonly [code: RegExp, text: string])[] = [
  [/SQLITE_(BUSY|LOCKED)/, 'Another program is using the database. Try again when it has finished.'],
  [/SQLITE_FULL|ENOSPC|No space left/, 'The disk is full. Delete what you no longer need, then try again.'],
  [
    /SQLITE_(READONLY|CANTOPEN|PERM)|EACCES/,
    "The database can't be opened or written to. Check the permissions.",
  ],
  [/SQLITE_IOERR/, "The disk can't be read or written to. Check it, and see the system's log."],
  [/SQLITE_(CORRUPT|NOTADB)/, 'The database is damaged.'],
]

/** Returns true if wrangler has printed a fault of the storage. */
export const hasStorageFault = (output: string): boolean => FAULTS.some(([code]) => code.test(output))

/** Returns true if wrangler failed only because another program held the database. */
export const isBusyOutput = (output: string): boolean => /SQLITE_(BUSY|LOCKED)/.test(output)

/** Explains a fault of the storage that wrangler has printed. Returns null if it printed none. */
export async function explainStorageFault(folder: string, output: string): Promise<string | null> {
  const fault = FAULTS.find(([code]) => code.test(output))?.[1]
  if (fault === undefined && !/internal error; reference/.test(output)) return null
  if (isBusyOutput(output)) return `${fault} Its folder is ${folder}.`
  const damaged = await findDamagedFile(folder, { thorough: true })
  return damaged ?? `${fault ?? "The database can't be used."} Its folder is ${folder}.`
}
