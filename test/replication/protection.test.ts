import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { ROW_MEMORY_MS } from '../../src/documents/recent-documents.ts'
import { account, session } from '../support/accounts.ts'
import { create, createAnonymous, edit, send } from '../support/client.ts'

/** Returns a function that tells when the event last happened. */
async function recordChange(event: string): Promise<() => Promise<number>> {
  await env.DB.batch([
    env.DB.prepare('CREATE TABLE changes (at REAL)'),
    env.DB.prepare(
      `CREATE TRIGGER record_change AFTER ${event}
        BEGIN INSERT INTO changes VALUES (unixepoch('subsec') * 1000); END`,
    ),
  ])
  return async () => {
    const at = await env.DB.prepare('SELECT max(at) AS at FROM changes').first<number>('at')
    await env.DB.batch([env.DB.prepare('DROP TRIGGER record_change'), env.DB.prepare('DROP TABLE changes')])
    return at ?? Number.NaN
  }
}

/** Expects that an isolate that read the old row right before the change has forgotten it when the answer comes. */
async function expectToOutlast(event: string, change: () => Promise<unknown>) {
  const getChange = await recordChange(event)
  const answer = await change()
  const answeredAt = Date.now()
  expect(answeredAt - (await getChange())).toBeGreaterThanOrEqual(ROW_MEMORY_MS - 1)
  return answer
}

it('answers that a document burns once no isolate can remember it as one that doesn’t', async () => {
  const { key } = await account()
  const { id } = await create('x', {}, { key })
  const turnOn = () => edit({ id, settings: { instant_delete: true } }, { key })
  expect(await expectToOutlast('UPDATE OF instant_delete ON documents', turnOn)).toMatchObject({
    status: 200,
  })
})

it('answers that a document is removed once no isolate can remember it', async () => {
  const headers = await session(await account({ flags: 8 }))
  const { id } = await createAnonymous('x')
  const remove = async () => {
    const body = new URLSearchParams({ reason: 'spam' })
    return (await send(`/moderation/${id}/remove`, { method: 'POST', body, headers })).status
  }
  expect(await expectToOutlast('DELETE ON documents', remove)).toBe(303)
})

it('answers that an account is suspended once no isolate can remember its documents', async () => {
  const { username } = await account()
  const headers = await session(await account({ flags: 8 }))
  const suspend = async () => {
    const body = new URLSearchParams({ username, reason: 'spam' })
    return (await send('/moderation/accounts/suspend', { method: 'POST', body, headers })).status
  }
  expect(await expectToOutlast('UPDATE OF suspended_at ON users', suspend)).toBe(303)
})
