import { randomUUID } from 'node:crypto'
import { lstat, mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import ignore from 'ignore'
import { findFiles as findFilesInText } from '../../src/shared/find-files.ts'
import { formatSize } from '../../src/shared/format.ts'
import { MAX_CONTENT_BYTES } from '../../src/shared/settings.ts'
import {
  findFreeName,
  findNameProblem,
  formatArchive,
  MAX_FILES,
  type TextFile,
} from '../../src/shared/txtar.ts'
import type { ReadText } from './client/read-text.ts'
import { CliError } from './exit-codes.ts'
import {
  decodeInput,
  type Input,
  type Output,
  readBytes,
  STDIN,
  type Terminal,
  toSafeLine,
} from './terminal.ts'

/** Several files as one text. */
export const joinInputs = (files: readonly TextFile[]): Input => {
  const text = formatArchive(files)
  return { fileName: null, text, size: Buffer.byteLength(text), convertedFrom: null, files }
}

/** Returns null unless the text is an archive of files. The server can't tell what an encrypted text is. */
export const findFiles = ({ text, document: { settings } }: ReadText): TextFile[] | null =>
  findFilesInText({ language: settings.language, languageChosen: !settings.encrypted }, text)

const MAX_LISTED_NAMES = 5

/** @throws CliError `notFound` */
export function requireFile(files: readonly TextFile[] | null, name: string): TextFile {
  const found = files?.find((file) => file.name === name)
  if (found) return found
  const all = files?.map((file) => toSafeLine(file.name)) ?? []
  const rest = all.length - MAX_LISTED_NAMES
  const listed = `${all.slice(0, MAX_LISTED_NAMES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
  const has = files ? `. It has ${listed}` : ', which has one text'
  throw new CliError('notFound', `There’s no file ${toSafeLine(name)} in the document${has}`)
}

interface Rules {
  readonly folder: string
  readonly rules: ReturnType<typeof ignore>
}

const toPosix = (path: string): string => path.split(sep).join('/')

async function readRules(folder: string): Promise<readonly Rules[]> {
  const text = await readFile(join(folder, '.gitignore'), 'utf8').catch(() => null)
  return text === null ? [] : [{ folder, rules: ignore().add(text) }]
}

/** Returns the rules of the folders above, up to the one with the repository. */
async function readRulesAbove(folder: string): Promise<readonly Rules[]> {
  const found: Rules[] = []
  for (let above = folder; ; above = dirname(above)) {
    if (above !== folder) found.unshift(...(await readRules(above)))
    if (await stat(join(above, '.git')).catch(() => null)) return found
    if (dirname(above) === above) return []
  }
}

/** The rules of the deepest folder come last, and win. */
function isIgnored(path: string, all: readonly Rules[], end: '' | '/'): boolean {
  let ignored = false
  for (const { folder, rules } of all) {
    const result = rules.test(`${toPosix(relative(folder, path))}${end}`)
    if (result.ignored) ignored = true
    else if (result.unignored) ignored = false
  }
  return ignored
}

const NEVER_SHARED = ['.git', 'node_modules']

type LeaveOut = (path: string, reason: string) => void

/** Yields the files in a folder, in the order of their names. */
async function* walk(
  folder: string,
  above: readonly Rules[],
  leaveOut: LeaveOut,
): AsyncGenerator<string, void, void> {
  const rules = [...above, ...(await readRules(folder))]
  const entries = await readdir(folder, { withFileTypes: true }).catch(({ code }: NodeJS.ErrnoException) => {
    leaveOut(folder, `it can’t be read (${code})`)
    return []
  })
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (NEVER_SHARED.includes(entry.name)) leaveOut(path, 'it’s never shared with a folder')
    else if (isIgnored(path, rules, entry.isDirectory() ? '/' : '')) leaveOut(path, '.gitignore says so')
    else if (entry.isDirectory()) yield* walk(path, rules, leaveOut)
    else if (entry.isFile()) yield path
    else leaveOut(path, entry.isSymbolicLink() ? 'it’s a symbolic link' : 'it isn’t a file')
  }
}

/** Tells them apart as git does. */
const isBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, 8000).includes(0) && (bytes[0] ?? 0) < 0xfe

/** A file in a folder that can't be shared is left out, so that the others can. */
async function readFileOfFolder(
  path: string,
  terminal: Terminal,
  leaveOut: LeaveOut,
): Promise<string | null> {
  try {
    const bytes = await readBytes(path, terminal)
    if (bytes.byteLength === 0) return ''
    if (!isBinary(bytes)) return decodeInput(bytes, path).text
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    leaveOut(
      path,
      /larger/.test(error.message) ? 'it’s too large' : 'it isn’t text in UTF-8, or can’t be read',
    )
    return null
  }
  leaveOut(path, 'it’s a binary file')
  return null
}

export const isFolder = async (path: string): Promise<boolean> =>
  path !== STDIN && ((await stat(path).catch(() => null))?.isDirectory() ?? false)

/** Returns the deepest folder that has them all. @throws CliError `usage` if they are on two drives of Windows. */
function findCommonFolder(folders: readonly string[]): string {
  const [first = '', ...others] = folders
  let common = first
  while (!others.every((folder) => folder === common || folder.startsWith(join(common, sep)))) {
    if (dirname(common) === common)
      throw new CliError('usage', 'The files are on different drives. Share them with --separate')
    common = dirname(common)
  }
  return common
}

interface Found {
  readonly path: string
  readonly content: string
}

async function readFound(
  paths: readonly string[],
  terminal: Terminal,
  { note }: Output,
): Promise<{ found: Found[]; common: string }> {
  const leaveOut: LeaveOut = (path, reason) => note(`Left out ${toSafeLine(path)}: ${reason}.`)
  const found: Found[] = []
  const folders: string[] = []
  let size = 0
  const add = (path: string, content: string) => {
    size += Buffer.byteLength(content)
    if (size > MAX_CONTENT_BYTES) {
      const limit = formatSize(MAX_CONTENT_BYTES)
      throw new CliError('input', `The files are larger than ${limit}, the most a server can accept`)
    }
    if (found.length === MAX_FILES)
      throw new CliError('input', `A document has at most ${MAX_FILES} files, and these are more`)
    found.push({ path, content })
  }
  for (const path of paths) {
    if (!(await isFolder(path))) {
      if (path !== STDIN) folders.push(dirname(resolve(path)))
      const bytes = await readBytes(path, terminal)
      add(path, bytes.byteLength === 0 ? '' : decodeInput(bytes, path).text)
      continue
    }
    folders.push(resolve(path))
    for await (const inside of walk(path, await readRulesAbove(resolve(path)), leaveOut)) {
      const content = await readFileOfFolder(inside, terminal, leaveOut)
      if (content !== null) add(inside, content)
    }
  }
  return { found, common: findCommonFolder(folders) }
}

/**
 * Reads the files, and those in the folders, but for what `.gitignore` leaves out, and what isn't text. Their names start at the
 * folder that has them all.
 *
 * @throws CliError `input` if a file that was named can't be shared, or if there's none.
 */
export async function readFiles(
  paths: readonly string[],
  terminal: Terminal,
  output: Output,
): Promise<Input> {
  const { found, common } = await readFound(paths, terminal, output)
  const byName = new Map<string, TextFile>()
  for (const { path, content } of found) {
    const own = path === STDIN ? 'stdin' : toPosix(relative(common, resolve(path)))
    const problem = findNameProblem(own)
    if (problem !== null) throw new CliError('input', `The name ${toSafeLine(own)} can’t be kept: ${problem}`)
    const name = findFreeName(own, (other) => byName.has(other))
    byName.set(name, { name, content })
  }
  const files = [...byName.values()]
  const [only] = files
  if (only === undefined) throw new CliError('input', `There’s no text file in ${paths.join(', ')}`)
  const [folder = '', ...others] = paths
  const isOneFolder = others.length === 0 && (await isFolder(folder))
  if (files.length > 1)
    return { ...joinInputs(files), fileName: isOneFolder ? basename(resolve(folder)) || null : null }
  if (only.content === '') throw new CliError('input', `${only.name} is empty, so there’s nothing to share`)
  const size = Buffer.byteLength(only.content)
  return { fileName: only.name, text: only.content, size, convertedFrom: null, files: null }
}

/** @throws CliError `failure` if something on the way is a symbolic link, which could lead out of the folder. */
async function requireInside(folder: string, path: string): Promise<void> {
  for (let above = dirname(path); above !== folder; above = dirname(above)) {
    if ((await lstat(above).catch(() => null))?.isSymbolicLink())
      throw new CliError('failure', `${above} is a symbolic link: nothing is written through it`)
  }
}

/** The folders of these systems take two names as one if they differ in case, or in how they write an accent. */
const TAKES_ALIKE_AS_ONE = process.platform === 'win32' || process.platform === 'darwin'

const toKey = (name: string): string => (TAKES_ALIKE_AS_ONE ? name.normalize().toLowerCase() : name)

/** Gives another name to a file that can't be in a folder with the others, such as `a` beside `a/b`. */
function toNamesInFolder(names: readonly string[]): string[] {
  const taken = new Set<string>()
  for (const name of names)
    for (let slash = name.indexOf('/'); slash !== -1; slash = name.indexOf('/', slash + 1))
      taken.add(toKey(name.slice(0, slash)))
  return names.map((name) => {
    const free = findFreeName(name, (other) => taken.has(toKey(other)))
    taken.add(toKey(free))
    return free
  })
}

/** A folder that git takes for its own, also where names ignore case, dots and spaces at the end, or are shortened. */
const GIT_FOLDER = /(?:^|[\\/])(?:\.git|git~\d+)[. ]*(?:[\\/]|$)/i

interface NewFile {
  readonly path: string
  readonly content: string
}

/** Writes all of them or none. Existing files are replaced only with `force`, once all of the new ones are on the disk. */
async function writeAll(
  files: readonly NewFile[],
  { force, mode }: { readonly force: boolean; readonly mode: number },
): Promise<void> {
  const drafts: string[] = []
  try {
    for (const { path, content } of files) {
      await mkdir(dirname(path), { recursive: true })
      const draft = force ? `${path}.${randomUUID().slice(0, 8)}.part` : path
      drafts.push(draft)
      await writeFile(draft, content, { flag: 'wx', mode }).catch((error) => {
        // That one is somebody else's.
        if (error.code === 'EEXIST') drafts.pop()
        throw error
      })
    }
    // A link that has the name is replaced, not followed.
    if (force) for (const [index, { path }] of files.entries()) await rename(drafts[index] ?? '', path)
  } catch (error) {
    await Promise.all(drafts.map((draft) => rm(draft, { force: true })))
    throw error
  }
}

/**
 * Writes files into a folder, and never elsewhere. Everything is checked before the first is written.
 *
 * @returns the paths, in the order of the files.
 *
 * @throws CliError `failure` if one exists and `force` isn't set, and for files of git, which can make it run programs.
 */
export async function writeFiles(
  folder: string,
  files: readonly TextFile[],
  { force = false, mode = 0o666 }: { readonly force?: boolean | undefined; readonly mode?: number } = {},
): Promise<readonly string[]> {
  try {
    await mkdir(folder, { recursive: true })
    const root = await realpath(folder)
    const names = toNamesInFolder(files.map(({ name }) => name))
    const targets = files.map(({ content }, index) => ({ path: resolve(root, names[index] ?? ''), content }))
    for (const { path } of targets) {
      if (!path.startsWith(join(root, sep)))
        throw new CliError('failure', `${toSafeLine(path)} isn’t in ${folder}`)
      if (GIT_FOLDER.test(path.slice(root.length)))
        throw new CliError('failure', `${toSafeLine(path)} isn’t written: git would run what it says`)
      await requireInside(root, path)
      if (!force && (await lstat(path).catch(() => null)))
        throw new CliError('failure', `${path} exists. To replace it, add --force`)
    }
    await writeAll(targets, { force, mode })
    return targets.map(({ path }) => path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (error instanceof CliError || code === undefined) throw error
    throw new CliError('failure', `Can’t write into ${folder} (${code})`)
  }
}
