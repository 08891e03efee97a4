import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createReport, dismissReports, findReports, listReported } from '../../src/moderation/reports.ts'
import { Database } from '../../src/platform/database.ts'
import { account } from '../support/accounts.ts'
import { losingFirst } from '../support/bindings.ts'
import { create } from '../support/client.ts'

const db = new Database(env.DB, 5_000)

/** Every report gets a later time than the one before. */
let time = Date.now()
const report = (id: string, comment: string | null = null, reason: 'spam' | 'illegal' = 'spam') =>
  createReport(db, id, { reason, comment, now: ++time })

const listIds = async (options: { cursor?: string; limit?: number; now?: number } = {}) => {
  const { cursor, limit = 100, now = time } = options
  const page = await listReported(db, { cursor, limit, now })
  return { ids: page.items.map(({ id }) => id), cursor: page.cursor }
}

it('lists each reported document once, most recently reported first', async () => {
  const { key, username } = await account()
  const first = await create('# one', { expiration: null }, { key })
  const second = await create('two')
  await report(first.id, 'first comment')
  await report(second.id)
  await report(first.id, null, 'illegal')
  await report(first.id, 'last comment')
  const { items } = await listReported(db, { cursor: undefined, limit: 2, now: time })
  expect(items).toMatchObject([
    {
      id: first.id,
      title: 'one',
      creator: username,
      reports: 3,
      reasons: expect.toSatisfy((reasons: string[]) => reasons.toSorted().join() === 'illegal,spam'),
      reportedAt: time,
    },
    {
      id: second.id,
      title: 'two',
      creator: null,
      reports: 1,
      reasons: ['spam'],
      reportedAt: time - 2,
    },
  ])
})

it('pages stay consistent while new reports arrive', async () => {
  const ids: string[] = []
  for (let made = 0; made < 5; made++) ids.unshift((await create('x')).id)
  for (const id of ids.toReversed()) await report(id)
  const first = await listIds({ limit: 2 })
  expect(first.ids).toEqual(ids.slice(0, 2))
  await report(ids[0] ?? '')
  const second = await listIds({ limit: 2, cursor: first.cursor ?? '' })
  expect(second.ids).toEqual(ids.slice(2, 4))
  const third = await listIds({ limit: 100, cursor: second.cursor ?? '' })
  expect(third.ids[0]).toBe(ids[4])
  expect(third.cursor).toBeNull()
  await expect(listIds({ cursor: "1' OR 1" })).rejects.toMatchObject({ code: 'bad_request' })
})

it('pages through reports made at the same time', async () => {
  const ids = await Promise.all(Array.from({ length: 4 }, async () => (await create('x')).id))
  const now = ++time
  await Promise.all(
    ids.flatMap((id) => [1, 2].map(() => createReport(db, id, { reason: 'spam', comment: null, now }))),
  )
  const listed: string[] = []
  let cursor: string | null = `${now + 1}-xxxx`
  for (let page = 0; page < 4; page++) {
    const found: Awaited<ReturnType<typeof listIds>> = await listIds({ limit: 1, cursor: cursor ?? '' })
    listed.push(...found.ids)
    cursor = found.cursor
  }
  expect(listed.toSorted()).toEqual(ids.toSorted())
})

it('neither lists an expired document nor accepts reports of it', async () => {
  const { key } = await account()
  const { id } = await create('x', { expiration: 1 }, { key })
  await report(id)
  const later = Date.now() + 2 * 86_400_000
  expect((await listIds()).ids).toContain(id)
  expect((await listIds({ now: later })).ids).not.toContain(id)
  const late = createReport(db, id, { reason: 'spam', comment: null, now: later })
  await expect(late).rejects.toMatchObject({ code: 'not_found' })
  for (const nothing of ['xxxxxxxx', "x'y", '']) {
    await expect(report(nothing)).rejects.toMatchObject({ code: 'not_found' })
  }
})

describe('reports beyond 100 of one document', () => {
  const countReports = async (id: string) =>
    (await listReported(db, { cursor: undefined, limit: 100, now: time })).items.find(
      (item) => item.id === id,
    )?.reports

  it('are counted, even if many arrive at once, in at most 100 rows and one for each reason', async () => {
    const { id } = await create('x')
    await Promise.all(Array.from({ length: 120 }, (_, made) => report(id, `comment ${made}`)))
    await report(id, null, 'illegal')
    await report(id, 'one more', 'illegal')
    const reports = await findReports(db, id)
    expect(reports).toHaveLength(102)
    expect(await countReports(id)).toBe(122)
    expect(reports[0]).toEqual({ reason: 'illegal', comment: null, createdAt: time, times: 2 })
  })

  it('are listed as the latest and not dismissed by somebody who has not seen them', async () => {
    const { id } = await create('x')
    await Promise.all(Array.from({ length: 101 }, () => report(id)))
    const seen = time
    const other = await create('y')
    await report(other.id)
    await report(id)
    expect((await listIds()).ids.slice(0, 2)).toEqual([id, other.id])
    await dismissReports(db, id, { until: seen, by: 'operator', now: Date.now() })
    expect(await countReports(id)).toBe(3)
    await dismissReports(db, id, { until: time, by: 'operator', now: Date.now() })
    expect(await countReports(id)).toBeUndefined()
  })

  it("are counted once when D1's response is lost", async () => {
    const { id } = await create('x')
    await Promise.all(Array.from({ length: 101 }, () => report(id)))
    const { bindings, count } = losingFirst('DB.batch')
    const faulty = new Database(bindings.DB, 5_000)
    await createReport(faulty, id, { reason: 'spam', comment: null, now: ++time })
    expect(count()).toBe(2)
    expect(await countReports(id)).toBe(102)
  })
})

it("stores a report once when D1's response is lost", async () => {
  const { id } = await create('x')
  const { bindings, count } = losingFirst('DB.batch')
  const faulty = new Database(bindings.DB, 5_000)
  await createReport(faulty, id, { reason: 'spam', comment: 'once', now: ++time })
  expect(count()).toBe(2)
  expect(await findReports(db, id)).toEqual([{ reason: 'spam', comment: 'once', createdAt: time, times: 1 }])
})

it('lists a document again when it is reported after a dismissal', async () => {
  const { id } = await create('x')
  await report(id)
  await dismissReports(db, id, { until: time, by: 'operator', now: Date.now() })
  await dismissReports(db, id, { until: time, by: 'operator', now: Date.now() })
  expect((await listIds()).ids).not.toContain(id)
  await report(id, 'again')
  expect((await listIds()).ids[0]).toBe(id)
})
