import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CloudflareApi } from './support/cloudflare-api.ts'

const ROOT = new URL('../..', import.meta.url).pathname

let api: CloudflareApi
let env: Record<string, string>
let folder: string

beforeEach(async () => {
  api = new CloudflareApi()
  env = await api.start()
  folder = await mkdtemp(join(tmpdir(), 'regent-'))
})

afterEach(async () => {
  api.stop()
  await rm(folder, { recursive: true })
})

async function backUp(): Promise<{ code: number; stdout: string; stderr: string }> {
  const args = ['scripts/backup.ts', '--remote', '--out', join(folder, 'regent.backup')]
  return promisify(execFile)(process.execPath, args, { cwd: ROOT, env: { ...process.env, ...env } }).then(
    (printed) => ({ code: 0, ...printed }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )
}

// The content itself goes through a preview of a Worker, which wrangler reaches by https at workers.dev only. See
// docs/recovery.md.
describe('npm run backup -- --remote, with a stand-in for the API of Cloudflare', {
  timeout: 180_000,
}, () => {
  it('finds the deployed database and namespace, asks for bindings to them, and says if that fails', async () => {
    api.database = new DatabaseSync(':memory:')
    api.namespaces = ['regent-contents-of-another', 'regent-contents']
    const { code, stdout, stderr } = await backUp()
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr.split('\n').filter((line) => line.startsWith("Can't connect"))).toEqual([
      expect.stringContaining('Failed to obtain a preview token'),
    ])
    const metadata = JSON.parse(/name="metadata"\r\n\r\n(.*)\r\n/.exec(api.proxy ?? '')?.[1] ?? '{}')
    expect(metadata.bindings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'DB', type: 'd1', id: 'uuid' }),
        expect.objectContaining({ name: 'CONTENTS', type: 'kv_namespace', namespace_id: 'namespace 1' }),
      ]),
    )
    expect(api.unknown).toEqual([])
    // Nothing that looks like a backup is left.
    expect(await readdir(folder)).toEqual([])
  })
})
