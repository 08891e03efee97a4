import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { ViewCounter, waitForViews } from '../../src/documents/views.ts'
import { bindingsWith, countCalls } from '../support/bindings.ts'
import { create, read } from '../support/client.ts'

// The test file before this one may have planned to write its views within the next second.
beforeAll(waitForViews)

describe('the views of a document', () => {
  it('are written by a second attempt if the first fails, without another view', async () => {
    const { id } = await create('x')
    let failed = 0
    const bindings = bindingsWith(async (name, run) => {
      if (name === 'DB.all' && failed++ === 0) throw new Error('Network connection lost')
      return run()
    })
    expect((await read(id, { bindings, settle: true })).body.data.views).toBe(1)
    expect(failed).toBe(2)
    const row = await env.DB.prepare('SELECT views FROM documents WHERE id = ?1').bind(id).first('views')
    expect(row).toBe(1)
  })
})

describe('fifty concurrent reads of a document', () => {
  it('write one row with one call', async () => {
    const { id } = await create('x')
    const { bindings, calls, rows } = countCalls()
    const first = read(id, { bindings, settle: true })
    await Promise.all(Array.from({ length: 49 }, () => read(id, { bindings })))
    await first
    expect(calls.filter((call) => call === 'DB.all')).toHaveLength(1)
    expect(rows.written).toBe(1)
    expect((await read(id)).body.data.views).toBe(51)
  })
})

describe('the view counter', () => {
  it('counts each view once before, during and after a flush', async () => {
    const counter = new ViewCounter()
    let stored = 5
    expect(counter.count('a', stored)).toBe(6)
    expect(counter.count('a', stored)).toBe(7)
    const written = Promise.withResolvers<void>()
    const flush = counter.flush(async (views) => {
      await written.promise
      stored += views.get('a') ?? 0
    })
    expect(counter.count('a', stored)).toBe(8)
    written.resolve()
    await flush
    expect(stored).toBe(7)
    expect(counter.current('a', stored)).toBe(8)
    expect(counter.count('a', stored)).toBe(9)
    expect(counter.current('b', 3)).toBe(3)
  })

  it('never goes back for a row that was remembered since before a flush', async () => {
    const counter = new ViewCounter()
    counter.count('a', 0)
    const remembered = 0
    await counter.flush(async () => {})
    await counter.flush(async () => {})
    expect(counter.count('a', remembered)).toBe(2)
  })

  it('plans one flush at a time, and another if one is lost', async () => {
    const counter = new ViewCounter()
    expect(counter.planFlush(0)).toBe(true)
    expect(counter.planFlush(500)).toBe(false)
    expect(counter.planFlush(10_000)).toBe(true)
    await counter.flush(async () => {})
    expect(counter.planFlush(10_001)).toBe(true)
  })
})
