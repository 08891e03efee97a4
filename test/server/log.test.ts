import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, expect, it } from 'vitest'
import { ensureBuilt } from '../../server/build.ts'
import { startProcess } from './support/process.ts'
import { createFolder } from './support/server.ts'

beforeAll(() => ensureBuilt(() => {}))

it('has a line of JSON for an answer that breaks off', async () => {
  const folder = await createFolder()
  await using server = await startProcess(folder)
  const created = await fetch(`${server.url}/`, { method: 'PUT', body: 'a'.repeat(10_000_000) })
  const { pathname } = new URL((await created.text()).trim())
  const [response] = (await once(get(`${server.url}/r${pathname}`), 'response')) as [IncomingMessage]
  await once(response, 'readable')
  const file = new DatabaseSync(join(folder, 'contents.sqlite'))
  file.exec('PRAGMA foreign_keys = ON; DELETE FROM entries')
  file.close()
  await expect(response.toArray()).rejects.toThrow('aborted')
  expect((await fetch(`${server.url}/v1`)).status).toBe(200)
  server.child.kill('SIGTERM')
  await server.ended
  const lines = server.stdout().trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toContainEqual({
    event: 'printed by a library',
    request_id: '',
    error: expect.objectContaining({ message: 'KV GET failed: the value was deleted while it was read' }),
  })
})

it('prints emails for people, as they are', async () => {
  await using server = await startProcess(await createFolder(), { MAIL_FROM: 'terminal' })
  const body = new URLSearchParams({ email: 'ada@example.org', username: 'ada' })
  const { status } = await fetch(`${server.url}/sign-up`, {
    method: 'POST',
    headers: { Origin: server.url },
    body,
  })
  expect(status).toBe(200)
  await expect
    .poll(server.stdout)
    .toMatch(/^Email to ada@example\.org: .+\n\n(?:.*\n)*http:\/\/127\.0\.0\.1:\d+\/sign-\S+\n/m)
})
