import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { answered, combine, Database, query } from '../../src/platform/database.ts'

const number = (sql: string) => query([`SELECT ${sql} AS n`], ([row]: { n: number }[]) => row?.n ?? null)

function openCounted() {
  const durations: number[] = []
  return { durations, db: new Database(env.DB, 5_000, (duration) => durations.push(duration)) }
}

describe('queries that are asked together', () => {
  it('take one call, and each gets its own rows', async () => {
    const { db, durations } = openCounted()
    const both = combine(number('2'), answered('known'), number('3'))
    expect(await db.ask(number('1'), both, number('4'))).toEqual([1, [2, 'known', 3], 4])
    expect(durations).toHaveLength(1)
  })

  it('take none if all are answered', async () => {
    const { db, durations } = openCounted()
    expect(await db.ask(answered('a'), answered(null))).toEqual(['a', null])
    expect(await db.ask()).toEqual([])
    expect(durations).toEqual([])
  })

  it('fail together', async () => {
    const { db } = openCounted()
    await expect(db.ask(number('1'), number('missing'))).rejects.toThrow('no such column')
  })
})
