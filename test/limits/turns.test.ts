import { describe, expect, it } from 'vitest'
import { Turns } from '../../src/documents/turns.ts'
import { account } from '../support/accounts.ts'
import { bindingsWith, countCalls } from '../support/bindings.ts'
import { call, create, createAnonymous, edit, read } from '../support/client.ts'
import { countStatuses, repeat } from './support.ts'

/** Returns bindings, and how much content has been stored with them. */
function countContents(vars: Record<string, string> = {}) {
  const { bindings, calls } = countCalls(vars)
  const count = (name: string) => calls.filter((called) => called === name).length
  return {
    bindings,
    counts: () => ({ puts: count('CONTENTS.put'), deletes: count('CONTENTS.delete') }),
  }
}

const createAtOnce = (
  content: (index: number) => string,
  settings: Record<string, unknown>,
  options: Parameters<typeof call>[3],
) =>
  repeat(10, (index) =>
    call('POST', '/v1/document', { content: content(index), settings }, { settle: true, ...options }),
  )

describe('writes that exclude each other store content once', () => {
  it('edits of the same version', async () => {
    const { id, headers } = await createAnonymous('x')
    const { headers: found } = await read(id)
    const { bindings, counts } = countContents()
    const answers = await repeat(10, (index) =>
      edit(
        { id, content: `text ${index}` },
        { headers: { ...headers, 'If-Match': found.get('ETag') ?? '' }, bindings, settle: true },
      ),
    )
    expect(countStatuses(answers)).toEqual({ 200: 1, 412: 9 })
    // The old text stays, in the history.
    expect(counts()).toEqual({ puts: 1, deletes: 0 })
  })

  it('an edit that is tried again after one of another isolate', async () => {
    const { key } = await account()
    const { id } = await create('x', {}, { key })
    const calls: string[] = []
    const bindings = bindingsWith(async (name, run) => {
      const isFirst = name === 'DB.batch' && !calls.includes(name)
      calls.push(name)
      if (isFirst) expect((await edit({ id, content: 'other' }, { key })).status).toBe(200)
      return run()
    })
    const { status, body } = await edit({ id, content: 'mine' }, { key, bindings, settle: true })
    expect([status, body.data.content]).toEqual([200, 'mine'])
    const count = (name: string) => calls.filter((called) => called === name).length
    expect([count('DB.batch'), count('CONTENTS.put'), count('CONTENTS.delete')]).toEqual([2, 1, 0])
  })

  it('extensions of a document', async () => {
    const { key } = await account()
    const { id } = await create('x', { expiration: 1 }, { key })
    const { bindings, counts } = countContents()
    const answers = await repeat(10, () =>
      edit({ id, settings: { expiration: 90 } }, { key, bindings, settle: true }),
    )
    expect(countStatuses(answers)).toEqual({ 200: 10 })
    expect(counts().puts).toBe(1)
  })

  it('creates with one key', async () => {
    const { bindings, counts } = countContents()
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const answers = await createAtOnce(() => 'x', {}, { headers, bindings })
    expect(countStatuses(answers)).toEqual({ 200: 10 })
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1)
    expect(counts()).toEqual({ puts: 1, deletes: 0 })
  })

  it('creates with one name', async () => {
    const { key } = await account()
    const { bindings, counts } = countContents()
    const answers = await createAtOnce(String, { name: 'report' }, { key, bindings })
    expect(countStatuses(answers)).toEqual({ 200: 1, 409: 9 })
    expect(counts()).toEqual({ puts: 1, deletes: 0 })
  })

  it('edits that take one name', async () => {
    const { key } = await account()
    const documents = await repeat(5, () => create('x', {}, { key }))
    const { bindings, counts } = countContents()
    const answers = await repeat(5, (index) =>
      edit(
        { id: documents[index]?.id, content: 'y', settings: { name: 'report' } },
        { key, bindings, settle: true },
      ),
    )
    expect(countStatuses(answers)).toEqual({ 200: 1, 409: 4 })
    expect(counts().puts).toBe(1)
  })

  it.each([0, 1])('creates for which there is not enough room, after %i others', async (others) => {
    const { key } = await account()
    await repeat(others, () => create('x', {}, { key }))
    const { bindings, counts } = countContents({ ACCOUNT_MAX_BYTES: '25' })
    const answers = await createAtOnce(() => '1234567890', {}, { key, bindings })
    expect(countStatuses(answers)).toEqual({ 200: 2, 403: 8 })
    // The first doesn't know yet that there will be others.
    expect(counts().puts).toBeLessThanOrEqual(3)
  })
})

describe('a turn', () => {
  it('is for one at a time, and others aren’t held up', async () => {
    const turns = new Turns()
    const order: string[] = []
    const first = Promise.withResolvers<void>()
    const running = turns.take(['a', 'b'], async (hasWaited) => {
      await first.promise
      order.push(`first ${hasWaited}`)
    })
    const second = turns.take(['b'], async (hasWaited) => order.push(`second ${hasWaited}`))
    await turns.take(['c'], async (hasWaited) => order.push(`other ${hasWaited}`))
    first.resolve()
    await Promise.all([running, second])
    expect(order).toEqual(['other false', 'first false', 'second true'])
  })

  it('ends after a while, even if the work never does', async () => {
    const turns = new Turns({ maxTurnMs: 20 })
    void turns.take(['a'], () => Promise.withResolvers<void>().promise)
    expect(await turns.take(['a'], async (hasWaited) => hasWaited)).toBe(true)
  })

  it('ends if the work fails', async () => {
    const turns = new Turns()
    await expect(turns.take(['a'], () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await turns.take(['a'], async (hasWaited) => hasWaited)).toBe(false)
  })
})
