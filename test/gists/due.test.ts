import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import worker from '../../src/index.ts'
import { read } from '../support/client.ts'
import {
  author,
  gitHubBindings,
  gitHubBindingsWith,
  HOUR_MS,
  MINUTE_MS,
  rowOf,
  runDue,
} from '../support/gists.ts'

/** An author some of whose documents are due to become gists. */
async function withDue(howMany: number) {
  const made = await author()
  await made.fail({ on: 'POST', times: howMany, answer: { status: 500 } })
  const ids: string[] = []
  for (let n = 0; n < howMany; n++) ids.push((await made.create(`text ${n}`)).id)
  return { ...made, ids }
}

describe('a run of the trigger', () => {
  it('says what it did', async () => {
    const first = await withDue(2)
    const second = await withDue(3)
    await second.fail({ on: 'GET /gists', answer: { status: 401 } })
    await second.fail({ on: 'GET /gists', answer: 'drop' })
    expect(await runDue(2 * MINUTE_MS)).toEqual({
      published: 3,
      deleted: 0,
      refused: 1,
      postponed: 1,
      complete: true,
    })
    expect((await first.state()).made).toBe(2)
  })

  it('leaves an account alone that GitHub wants nothing of, and goes on with the others', async () => {
    const limited = await withDue(3)
    const other = await withDue(1)
    const { requests } = await limited.state()
    await limited.fail({
      on: 'GET /gists',
      times: 10,
      answer: { status: 403, headers: { 'Retry-After': '3600' } },
    })
    await runDue(2 * MINUTE_MS)
    expect((await limited.state()).requests.length).toBe(requests.length + 1)
    expect((await other.state()).made).toBe(1)
    await runDue(30 * MINUTE_MS)
    expect((await limited.state()).requests.length).toBe(requests.length + 1)
    for (const id of limited.ids) expect(await rowOf(id)).toMatchObject({ refusal: null })
  })

  it('begins nothing more when its time is spent, and the next one goes on', async () => {
    const { state } = await withDue(2)
    expect(await runDue(2 * MINUTE_MS, { budgetMs: 0 })).toMatchObject({ published: 0, complete: false })
    expect((await state()).made).toBe(0)
    await runDue(2 * MINUTE_MS)
    expect((await state()).made).toBe(2)
  })

  it('works on the others when storage fails for one', async () => {
    const { state } = await withDue(3)
    let batches = 0
    const bindings = gitHubBindingsWith(async (call, run) => {
      if (call === 'DB.batch' && ++batches === 1) throw new Error('D1_ERROR: disk I/O error')
      return run()
    })
    await expect(runDue(2 * MINUTE_MS, { bindings })).rejects.toThrow('disk I/O error')
    expect((await state()).made).toBe(2)
    await runDue(2 * MINUTE_MS)
    expect((await state()).made).toBe(3)
  })
})

describe('the scheduled trigger', () => {
  it('cleans up and publishes, and a fault in one does not keep the other from its work', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { create, fail, gist } = await author()
    await fail({ on: 'POST', answer: { status: 401 } })
    const { id } = await create('text')
    await env.DB.prepare('UPDATE gists SET due_at = 0 WHERE document_id = ?1').bind(id).run()
    const failing = gitHubBindingsWith(async (call, run) => {
      if (call === 'CONTENTS.list') throw new Error('KV is on fire')
      return run()
    })
    await expect(worker.scheduled(createScheduledController(), failing)).rejects.toThrow()
    expect((await read(id)).body.data.gist_url).toBe((await gist()).url)
    const logged = log.mock.calls.map(([line]) => JSON.parse(String(line)))
    expect(logged).toContainEqual(expect.objectContaining({ event: 'gists', published: 1, complete: true }))
    expect(logged.map(({ event }) => event)).not.toContain('cleanup')
    expect(String(error.mock.calls[0]?.[0])).toContain('cleanup failed')
  })
})

describe('no token', () => {
  it('gets into a log, an error, or an answer, whatever fails', async () => {
    const spies = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')]
    for (const spy of spies) spy.mockImplementation(() => {})
    const made = await author()
    const { token } = made.gitHub
    const answers: unknown[] = []
    for (const answer of ['drop', { status: 401 }, { status: 500, message: token }] as const) {
      await made.fail({ on: 'POST', answer })
      answers.push(await made.create('text'))
    }
    const stored = await env.DB.prepare('SELECT access_token FROM linked_accounts WHERE user_id = ?1')
      .bind(made.id)
      .first<string>('access_token')
    const broken = gitHubBindingsWith(async (call, run) => {
      const result = await run()
      if (call === 'DB.all' && JSON.stringify(result).includes(String(stored))) throw new Error('lost')
      return result
    })
    await runDue(2 * HOUR_MS, { bindings: broken }).catch((error) => answers.push(String(error.stack)))
    await worker.scheduled(createScheduledController(), broken).catch(() => {})
    await runDue(2 * HOUR_MS)
    await worker.scheduled(createScheduledController(), gitHubBindings)
    const rows = await env.DB.prepare('SELECT * FROM gists').all()
    const said = JSON.stringify([answers, spies.map((spy) => spy.mock.calls), rows.results])
    expect(spies.some((spy) => spy.mock.calls.length > 0)).toBe(true)
    expect(answers.length).toBe(4)
    expect(said).not.toContain(token)
    expect(said).not.toContain(String(stored))
  })

  it('goes to an address that an answer of GitHub names', async () => {
    const { create, fail, state } = await author()
    await fail({
      on: 'POST',
      answer: { status: 307, headers: { Location: `${gitHubBindings.GITHUB_API_URL}/elsewhere` } },
    })
    await create('text')
    expect((await state()).requests).toEqual(['POST /gists'])
  })
})
