import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { finishAccountDeletion, startAccountDeletion } from '../../src/accounts/account-deletion.ts'
import { Database } from '../../src/platform/database.ts'
import { account } from '../support/accounts.ts'
import { create } from '../support/client.ts'

const db = new Database(env.DB, 5_000)

const exists = async (id: string) =>
  (await env.DB.prepare('SELECT 1 FROM users WHERE id = ?1').bind(id).first()) !== null

it('an account that is being deleted stays until its last document is gone', async () => {
  const { id, key } = await account()
  const document = await create('stored at the last moment', {}, { key })
  await startAccountDeletion(db, id, 'delete')
  await finishAccountDeletion(db, id)
  expect(await exists(id)).toBe(true)
  await env.DB.prepare('DELETE FROM documents WHERE id = ?1').bind(document.id).run()
  await finishAccountDeletion(db, id)
  expect(await exists(id)).toBe(false)
})

it('an account that isn’t being deleted stays', async () => {
  const { id } = await account()
  await finishAccountDeletion(db, id)
  expect(await exists(id)).toBe(true)
})
