import { randomUUID } from 'node:crypto'
import { chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CliError } from '../exit-codes.ts'

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
export async function readPrivateFile(path: string): Promise<string | null> {
  try {
    const { mode } = await stat(path)
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0) await chmod(path, FILE_MODE)
    return await readFile(path, 'utf8')
  } catch (error) {
    if (getCode(error) === 'ENOENT') return null
    throw new CliError('failure', `Can’t read ${path} (${getCode(error)})`)
  }
}
