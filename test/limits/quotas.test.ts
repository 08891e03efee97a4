import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { account } from '../support/accounts.ts'
import { countCalls } from '../support/bindings.ts'
import { call, create, createAnonymous, edit, read, remove, submit, withVars } from '../support/client.ts'
import { startBeforeMidnight } from '../support/day.ts'
import { expectError } from '../support/expect.ts'
import { expectFaults } from '../support/log.ts'
import { runCleanup } from '../support/storage/faults.ts'
import { countStatuses, repeat } from './support.ts'

beforeEach(startBeforeMidnight)

beforeEach(async () => {
  await env.DB.batch([
    env.DB.prepare('DELETE FROM documents'),
    env.DB.prepare("UPDATE usage SET created = 0 WHERE account_id = ''"),
  ])
})

const tryCreate = (bindings: Env, options: { key?: string; content?: string } = {}) =>
  call('POST', '/v1/document', { content: options.content ?? 'x' }, { bindings, key: options.key })

const countDocuments = () => env.DB.prepare('SELECT count(*) AS n FROM documents').first<number>('n')

const countContents = async () => (await env.CONTENTS.list()).keys.length

describe('the quota of an account', () => {
  it('is exact while creates run side by side, and leaves nothing of the others behind', async () => {
    const { key } = await account()
    const bindings = withVars({ ACCOUNT_MAX_DOCUMENTS: '5' })
    const before = await countContents()
    const send = () => call('POST', '/v1/document', { content: 'x' }, { bindings, key, settle: true })
    const answers = await repeat(20, send)
    expect(countStatuses(answers)).toEqual({ 200: 5, 403: 15 })
    expect(await countDocuments()).toBe(5)
    expect((await countContents()) - before).toBe(5)
  })

  it('of documents makes room when one is deleted', async () => {
    const { key } = await account()
    const bindings = withVars({ ACCOUNT_MAX_DOCUMENTS: '1' })
    const { id } = await create('x', {}, { key, bindings })
    expectError(
      await tryCreate(bindings, { key }),
      403,
      'Your account is full: delete documents that you no longer need',
    )
    await remove(id, { key })
    expect((await tryCreate(bindings, { key })).status).toBe(200)
  })

  it('of a day holds again once cleanup has run after a clock that was ahead', async () => {
    const { key } = await account()
    const bindings = withVars({ ACCOUNT_MAX_WRITES_PER_DAY: '1' })
    await create('x', {}, { key, bindings })
    await env.DB.prepare('UPDATE usage SET day = day + 2').run()
    expect((await tryCreate(bindings, { key })).status).toBe(200)
    await runCleanup()
    expect((await tryCreate(bindings, { key })).status).toBe(200)
    expect((await tryCreate(bindings, { key })).status).toBe(429)
  })

  it('of bytes holds for creates and edits', async () => {
    const { key } = await account()
    const bindings = withVars({ ACCOUNT_MAX_BYTES: '10' })
    const { id } = await create('1234567', {}, { key, bindings })
    expect((await tryCreate(bindings, { key, content: '1234' })).status).toBe(403)
    expect((await edit({ id, content: '12345678901' }, { key, bindings })).status).toBe(403)
    expect((await read(id)).body.data.content).toBe('1234567')
    expect((await edit({ id, content: '1234567890' }, { key, bindings })).status).toBe(200)
    expect((await edit({ id, content: '1' }, { key, bindings })).status).toBe(200)
    expect((await tryCreate(bindings, { key, content: '123456789' })).status).toBe(200)
  })

  it('of writes a day counts deleted documents, and says when the day ends', async () => {
    const { key } = await account()
    const other = await account()
    const bindings = withVars({ ACCOUNT_MAX_WRITES_PER_DAY: '2' })
    const { id } = await create('x', {}, { key, bindings })
    await remove(id, { key })
    expect((await tryCreate(bindings, { key })).status).toBe(200)
    const refused = await tryCreate(bindings, { key })
    expect(refused.status).toBe(429)
    const seconds = Number(refused.headers.get('Retry-After'))
    expect(Math.abs(86_400 - ((Date.now() / 1_000) % 86_400) - seconds)).toBeLessThan(20)
    expect((await tryCreate(bindings, { key: other.key })).status).toBe(200)
    // The next day.
    await env.DB.prepare('UPDATE usage SET day = day - 1').run()
    const fresh = withVars({ ACCOUNT_MAX_WRITES_PER_DAY: '2' })
    expect((await tryCreate(fresh, { key })).status).toBe(200)
  })
})

describe('the quota of the server', () => {
  it('leaves a tenth to accounts', async () => {
    const bindings = withVars({ SERVER_MAX_WRITES_PER_DAY: '10' })
    const answers = await repeat(12, () => tryCreate(bindings))
    expect(countStatuses(answers)).toEqual({ 200: 9, 429: 3 })
    const { key } = await account()
    expect((await tryCreate(bindings, { key })).status).toBe(200)
    expect((await tryCreate(bindings, { key })).status).toBe(429)
  })

  it.each([
    ['documents', { SERVER_MAX_DOCUMENTS: '2' }],
    ['bytes', { SERVER_MAX_BYTES: '2' }],
  ])('of %s answers 503 with the reason', async (_, vars) => {
    expectFaults('request failed')
    const { key } = await account()
    const bindings = withVars(vars)
    expect(countStatuses(await repeat(4, () => tryCreate(bindings, { key })))).toEqual({ 200: 2, 503: 2 })
    const refused = await tryCreate(bindings, { key })
    expectError(refused, 503, "This server is full and can't store more text now")
    expect(refused.headers.get('Retry-After')).toBe('3600')
  })

  it('refuses the creates after the first without writing anything', async () => {
    const { bindings: counting, calls } = countCalls()
    const bindings = { ...counting, SERVER_MAX_WRITES_PER_DAY: '1' } as unknown as Env
    await tryCreate(bindings)
    await tryCreate(bindings)
    calls.length = 0
    expect((await tryCreate(bindings)).status).toBe(429)
    expect(calls).toEqual([])
  })
})

describe('what is counted', () => {
  const findUsage = async (id: string) =>
    env.DB.prepare('SELECT documents, bytes FROM usage WHERE account_id = ?1').bind(id).first()

  it('follows creates, edits and deletions', async () => {
    const owner = await account()
    const { key } = owner
    const first = await create('12345', {}, { key })
    const second = await createAnonymous('123')
    expect(await findUsage('')).toEqual({ documents: 2, bytes: 8 })
    await edit({ id: first.id, content: '1' }, { key })
    // The previous content is a revision.
    expect(await findUsage(owner.id)).toEqual({ documents: 1, bytes: 6 })
    expect(await findUsage('')).toEqual({ documents: 2, bytes: 9 })
    await edit({ id: first.id, settings: { revisions: false } }, { key })
    expect(await findUsage(owner.id)).toEqual({ documents: 1, bytes: 1 })
    expect(await findUsage('')).toEqual({ documents: 2, bytes: 4 })
    await env.DB.prepare('UPDATE documents SET creator_id = ?1, token_hash = NULL').bind(owner.id).run()
    expect(await findUsage(owner.id)).toEqual({ documents: 2, bytes: 4 })
    await remove(first.id, { key })
    await env.DB.prepare('DELETE FROM users WHERE id = ?1').bind(owner.id).run()
    expect(await findUsage(owner.id)).toBeNull()
    expect(await findUsage('')).toEqual({ documents: 1, bytes: 3 })
    expect((await read(second.id)).body.data.creator).toBeNull()
  })
})

describe('the switch for documents without an account', () => {
  const turn = (value: string) =>
    env.DB.prepare("INSERT OR REPLACE INTO switches VALUES ('anonymous_documents', ?1, 0)").bind(value).run()

  it('refuses the very next one, and lets accounts create documents', async () => {
    const { key } = await account()
    const bindings = withVars({})
    expect((await tryCreate(bindings)).status).toBe(200)
    await turn('refuse')
    expectError(
      await tryCreate(bindings),
      403,
      "This server doesn't take documents without an account at the moment",
    )
    expect((await tryCreate(bindings, { key })).status).toBe(200)
    const form = await submit('/', { content: 'kept' }, {}, withVars({}))
    expect(form.status).toBe(403)
    const html = await form.text()
    expect(html).toContain('doesn’t take documents without an account at the moment')
    expect(html).toContain('kept')
    await turn('allow')
    expect((await tryCreate(withVars({}))).status).toBe(200)
  })

  it('does not touch edits of the documents that exist', async () => {
    const { id, headers } = await createAnonymous('x')
    await turn('refuse')
    expect((await edit({ id, content: 'longer' }, { headers })).status).toBe(200)
    await turn('allow')
  })
})
