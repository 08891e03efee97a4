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

/** Reads files and folders that somebody chose or dropped. What can't be added is left out, with the reason. */
export async function readChosenFiles(
  chosen: readonly (File | FileSystemEntry)[],
  {
    maxContentBytes,
    readText,
  }: { maxContentBytes: number; readText: (file: File) => Promise<string | null> },
): Promise<{ files: TextFile[]; leftOut: string[] }> {
  const leftOut: string[] = []
  const found: Chosen[] = []
  const walk = async (one: File | FileSystemEntry): Promise<void> => {
    if (NEVER_ADDED.includes(one.name)) leftOut.push(`${one.name} (never added)`)
    else if (one instanceof File) found.push({ name: one.webkitRelativePath || one.name, file: one })
    else if (isFolder(one)) for (const inside of await readFolder(one)) await walk(inside)
    else if (isFile(one)) {
      const file = await new Promise<File>((resolve, reject) => one.file(resolve, reject))
      found.push({ name: one.fullPath.slice(1), file })
    }
  }
  for (const one of chosen) await walk(one)
  const files: TextFile[] = []
  let size = 0
  for (const { name, file } of withoutCommonFolder(found)) {
    const problem = findNameProblem(name)
    const isFull = files.length === MAX_FILES || size + file.size > maxContentBytes
    if (problem !== null || isFull) {
      leftOut.push(`${name} (${problem === null ? 'no more room' : 'a name that can’t be kept'})`)
      continue
    }
    const content = await readText(file)
    if (content === null || content.includes('\0')) leftOut.push(`${name} (not text in UTF-8)`)
    else {
      files.push({ name, content })
      size += file.size
    }
  }
  return { files, leftOut }
}
