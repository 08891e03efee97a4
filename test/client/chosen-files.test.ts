import { describe, expect, it } from 'vitest'
import { readChosenFiles } from '../../src/client/editor/chosen-files.ts'

class Entry implements FileSystemEntry {
  readonly isFile: boolean = false
  readonly isDirectory: boolean = false
  readonly fullPath: string
  readonly name: string
  constructor(fullPath: string) {
    this.fullPath = fullPath
    this.name = fullPath.slice(fullPath.lastIndexOf('/') + 1)
  }
  get filesystem(): FileSystem {
    throw new Error('It isn’t needed')
  }
  getParent(): void {}
}

class FileEntry extends Entry implements FileSystemFileEntry {
  override readonly isFile = true
  readonly content: string | null
  /** @param content null if the file can't be read */
  constructor(fullPath: string, content: string | null) {
    super(fullPath)
    this.content = content
  }
  file(resolve: FileCallback, reject?: ErrorCallback): void {
    if (this.content === null) reject?.(new DOMException('No permission', 'NotReadableError'))
    else resolve(new File([this.content], this.name))
  }
}

class FolderEntry extends Entry implements FileSystemDirectoryEntry {
  override readonly isDirectory = true
  readonly inside: readonly Entry[]
  constructor(fullPath: string, inside: readonly Entry[]) {
    super(fullPath)
    this.inside = inside
  }
  createReader(): FileSystemDirectoryReader {
    const left = [...this.inside]
    return { readEntries: (resolve) => resolve(left.splice(0, 100)) }
  }
  getDirectory(): void {}
  getFile(): void {}
}

const OPTIONS = { maxContentBytes: 1_000_000, readText: (file: File) => file.text() }

describe('a folder', () => {
  it('is read but for what can’t be read or is never added', async () => {
    const folder = new FolderEntry('/project', [
      new FileEntry('/project/locked.txt', null),
      new FolderEntry('/project/.git', [new FileEntry('/project/.git/HEAD', 'ref')]),
      new FolderEntry('/project/src', [new FileEntry('/project/src/main.py', 'print(1)')]),
      new FileEntry('/project/a.txt', 'text'),
    ])
    expect(await readChosenFiles([folder], OPTIONS)).toEqual({
      files: [
        { name: 'a.txt', content: 'text' },
        { name: 'src/main.py', content: 'print(1)' },
      ],
      leftOut: ['.git (never added)', 'project/locked.txt (can’t be read)'],
    })
  })

  it('is read up to a limit, and says so', async () => {
    const files = Array.from({ length: 10_001 }, (_, index) => new FileEntry(`/big/${index}`, 'text'))
    const { files: read, leftOut } = await readChosenFiles([new FolderEntry('/big', files)], OPTIONS)
    expect(read).toHaveLength(100)
    expect(leftOut.at(0)).toBe('everything after the first 10,000 files and folders')
  })

  it('that a dialog chose is named by its paths', async () => {
    const files = ['project/node_modules/x.js', 'project/a.js'].map((path) =>
      Object.defineProperty(new File(['text'], path.slice(path.lastIndexOf('/') + 1)), 'webkitRelativePath', {
        value: path,
      }),
    )
    expect(await readChosenFiles(files, OPTIONS)).toEqual({
      files: [{ name: 'a.js', content: 'text' }],
      leftOut: ['node_modules (never added)'],
    })
  })
})
