import type { TextFile } from '../../shared/txtar.ts'
import { findNameProblem, MAX_FILES } from '../../shared/txtar.ts'

const NEVER_ADDED = ['.git', 'node_modules']

interface Chosen {
  readonly name: string
  readonly file: File
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

async function readFolder(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const entries: FileSystemEntry[] = []
  // Browsers return a hundred at a time.
  for (;;) {
    const more = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (more.length === 0) break
    entries.push(...more)
  }
  return entries.sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** Names start below the one folder that has them all. */
function withoutCommonFolder(found: readonly Chosen[]): readonly Chosen[] {
  const [first] = found
  const folder = first?.name.slice(0, first.name.indexOf('/') + 1) ?? ''
  if (folder === '' || !found.every(({ name }) => name.startsWith(folder))) return found
  return withoutCommonFolder(found.map((one) => ({ ...one, name: one.name.slice(folder.length) })))
}

/** A folder such as a home folder has more than anybody wants to wait for. */
const MAX_ENTRIES = 10_000

/** Reads files and folders that somebody chose or dropped. What can't be added is left out, with the reason. */
export async function readChosenFiles(
  chosen: readonly (File | FileSystemEntry)[],
  {
    maxContentBytes,
    readText,
  }: { maxContentBytes: number; readText: (file: File) => Promise<string | null> },
): Promise<{ files: TextFile[]; leftOut: string[] }> {
  const leftOut = new Set<string>()
  const found: Chosen[] = []
  let entries = 0
  const takeEntry = async (entry: FileSystemEntry): Promise<void> => {
    const name = entry.fullPath.slice(1)
    try {
      if (isFolder(entry)) for (const inside of await readFolder(entry)) await take(inside)
      else if (isFile(entry)) {
        const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
        found.push({ name, file })
      }
    } catch {
      leftOut.add(`${name} (can’t be read)`)
    }
  }
  const take = async (one: File | FileSystemEntry): Promise<void> => {
    entries += 1
    if (entries > MAX_ENTRIES) return
    const path = one instanceof File ? one.webkitRelativePath || one.name : one.name
    const never = path.split('/').find((folder) => NEVER_ADDED.includes(folder))
    if (never !== undefined) leftOut.add(`${never} (never added)`)
    else if (one instanceof File) found.push({ name: path, file: one })
    else await takeEntry(one)
  }
  for (const one of chosen) await take(one)
  if (entries > MAX_ENTRIES)
    leftOut.add(`everything after the first ${MAX_ENTRIES.toLocaleString('en')} files and folders`)
  const files: TextFile[] = []
  let size = 0
  for (const { name, file } of withoutCommonFolder(found)) {
    const problem = findNameProblem(name)
    const isFull = files.length === MAX_FILES || size + file.size > maxContentBytes
    if (problem !== null || isFull) {
      leftOut.add(`${name} (${problem === null ? 'no more room' : 'a name that can’t be kept'})`)
      continue
    }
    const content = await readText(file)
    if (content === null || content.includes('\0')) leftOut.add(`${name} (not text in UTF-8)`)
    else {
      files.push({ name, content })
      size += file.size
    }
  }
  return { files, leftOut: [...leftOut] }
}
