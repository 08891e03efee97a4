import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { access, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { closeToOthers, lockDataFolder } from '../scripts/support/data-folder.ts'
import { CommandError } from '../scripts/support/script.ts'
import { MIN_AUTH_SECRET_CHARACTERS } from '../src/config.ts'

/** The folder that holds all data of a server. */

export const DATABASE_FILE = 'regent.sqlite'
export const CONTENTS_FILE = 'contents.sqlite'
const SECRET_FILE = 'auth-secret'
const LOCK_FILE = 'lock.sqlite'

/** Recognizes our own files. Another one means that somebody uses the folder for something else, too. */
const OWN_NAMES =
  /^(?:(?:regent|contents|lock)[\w.-]*\.sqlite(?:-wal|-shm|-journal)?|auth-secret|lost\+found)$/

/**
 * Creates a folder that only its owner can read. An existing one is closed to others too, unless it contains other files.
 *
 * @throws CommandError if it can't be written to.
 */
export async function prepareFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await access(folder, constants.W_OK)
    if ((await readdir(folder)).every((name) => OWN_NAMES.test(name))) await closeToOthers(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CommandError(`Can't write to ${folder} (${code}). Choose another folder: --data DIR`)
  }
}

/**
 * Keeps other servers, and commands that replace data, off a folder. The lock ends with the process.
 *
 * @param holder for the message that another process prints.
 * @returns a function that gives up the lock.
 * @throws CommandError that names the process that holds the lock.
 */
export const lockFolder = (folder: string, holder: string): (() => void) =>
  lockDataFolder(folder, holder, { file: LOCK_FILE, option: '--data DIR' })

/**
 * Returns the secret that signs sessions. It's made once, so that people stay signed in.
 *
 * @throws CommandError if it can't be read or written, or is too short.
 */
export async function readSecret(folder: string): Promise<string> {
  const file = join(folder, SECRET_FILE)
  const fail = ({ code }: NodeJS.ErrnoException) =>
    new CommandError(`Can't read or write ${file} (${code}). Check its permissions and the disk.`)
  const present = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw fail(error)
  })
  const kept = present.trim()
  if (kept.length >= MIN_AUTH_SECRET_CHARACTERS) return kept
  if (kept !== '')
    throw new CommandError(
      `${file} has fewer than ${MIN_AUTH_SECRET_CHARACTERS} characters. Put the former secret back, or delete the file: the next start then makes one, and signs everyone out.`,
    )
  const secret = randomBytes(32).toString('base64url')
  await writeFile(file, secret, { mode: 0o600 }).catch(async (error: NodeJS.ErrnoException) => {
    // On a full disk, it may be only a part, which is easier to guess.
    await rm(file, { force: true })
    throw fail(error)
  })
  return secret
}
