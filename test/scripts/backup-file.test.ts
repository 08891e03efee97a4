import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BackupFile, readBackupFile } from '../../scripts/backup/backup-file.ts'
import { type BackupProgress, beginBackup } from '../../src/backup/write-backup.ts'

let folder: string
let path: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'regent-backup-'))
  path = join(folder, 'a.backup')
})

afterEach(() => rm(folder, { recursive: true, force: true }))

const begun = beginBackup({ kind: 'full', now: 1, burnAfterReading: false })

const part = (text: string, parts: number): { chunks: Uint8Array[]; progress: BackupProgress } => ({
  chunks: [new TextEncoder().encode(text)],
  progress: { ...begun, parts },
})

async function readText(): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of readBackupFile(path)) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

describe('a backup file', () => {
  it('is readable by its owner only, while it is written and afterwards', async () => {
    const file = new BackupFile(path)
    await file.begin()
    await file.append(part('one\n', 1))
    for (const suffix of ['partial', 'progress']) {
      expect((await stat(`${path}.${suffix}`)).mode & 0o777).toBe(0o600)
    }
    await file.finish()
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    await expect(stat(`${path}.progress`)).rejects.toThrow('ENOENT')
    expect(await readText()).toBe('one\n')
  })

  it('is continued after the last part that was recorded', async () => {
    const first = new BackupFile(path)
    await first.begin()
    await first.append(part('one\n', 1))
    const partial = await readFile(`${path}.partial`)
    await writeFile(`${path}.partial`, Buffer.concat([partial, Buffer.from('half of the next part')]))
    const second = new BackupFile(path)
    expect(await second.resume()).toMatchObject({ id: begun.id, parts: 1 })
    await second.append(part('two\n', 2))
    await second.finish()
    expect(await readText()).toBe('one\ntwo\n')
  })

  it('that was cut off is reported as damaged', async () => {
    const file = new BackupFile(path)
    await file.begin()
    await file.append(part('one\n'.repeat(1_000), 1))
    await file.finish()
    await truncate(path, 20)
    await expect(readText()).rejects.toThrow('damaged or incomplete')
  })
})
