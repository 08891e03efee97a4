import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, vi } from 'vitest'
import { type Cron, findDue, Jobs, parseCron } from '../../server/jobs.ts'
import { createFolder, startTestServer } from './support/server.ts'

function requireCron(text: string): Cron {
  const cron = parseCron(text)
  if (cron === null) throw new Error(`Not a cron: ${text}`)
  return cron
}

const CRONS = ['*/5 * * * *', '* * * * *'].map(requireCron)

const at = (time: string): number => Date.parse(`2026-11-28T${time}Z`)

const listDue = (after: string, until: string) => findDue(CRONS, at(after), at(until)).map(({ text }) => text)

describe('a cron', () => {
  it.each([
    ['30 4 * * *', '04:30:00', true],
    ['30 4 * * *', '04:31:00', false],
    ['0-10/5,59 * * * 6', '23:59:00', true],
    ['0-10/5,59 * * * 6', '23:06:00', false],
    ['* * 28 11 *', '12:00:00', true],
    ['* * * * 0,7', '12:00:00', false],
  ])('"%s" at %s: %s', (text, time, matches) => {
    expect(requireCron(text).matches(new Date(at(time)))).toBe(matches)
  })

  it.each(['', '* * * *', '60 * * * *', '*/0 * * * *', '5-1 * * * *', 'x * * * *', '* * 0 * *'])(
    'refuses "%s"',
    (text) => expect(parseCron(text)).toBeNull(),
  )
})

describe('jobs', () => {
  it('are due in their minutes', () => {
    expect(listDue('10:01:00', '10:02:00')).toEqual(['* * * * *'])
    expect(listDue('10:04:00', '10:05:00')).toEqual(['*/5 * * * *', '* * * * *'])
    expect(listDue('10:04:10', '10:04:50')).toEqual([])
  })

  it('run late, but only once, and one at a time', async () => {
    let now = at('10:00:30')
    const runs: string[] = []
    let end = () => {}
    const jobs = new Jobs({
      crons: CRONS,
      clock: () => now,
      run: async (cron) => {
        runs.push(cron)
        await new Promise<void>((resolve) => {
          end = resolve
        })
        runs.push('end')
      },
    })
    now = at('14:00:30')
    jobs.look()
    jobs.look()
    now = at('14:01:30')
    jobs.look()
    expect(runs).toEqual(['*/5 * * * *'])
    for (let turn = 0; turn < 3; turn += 1) {
      end()
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(runs).toEqual(['*/5 * * * *', 'end', '* * * * *', 'end'])
    await jobs.stop()
  })

  it('go on when the clock is set back', async () => {
    let now = at('10:00:30')
    const runs: string[] = []
    const jobs = new Jobs({ crons: CRONS, clock: () => now, run: async (cron) => void runs.push(cron) })
    now = at('08:00:30')
    jobs.look()
    expect(runs).toEqual([])
    now = at('08:01:00')
    jobs.look()
    await jobs.stop()
    expect(runs).toEqual(['* * * * *'])
  })
})

describe('a scheduled job', () => {
  it('gives space back that deleted content has left, a part of it at a time', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => {})
    const folder = await createFolder()
    const server = await startTestServer({}, folder)
    const { CONTENTS } = server.env
    await CONTENTS.put('large', new Uint8Array(6_000_000))
    await CONTENTS.delete('large')
    const path = join(folder, 'contents.sqlite')
    using file = new DatabaseSync(path, { readOnly: true })
    const countFree = () => Number(file.prepare('PRAGMA freelist_count').get()?.freelist_count)
    const before = countFree()
    expect(before).toBeGreaterThan(1_400)
    await server.runScheduled('* * * * *')
    expect(countFree()).toBe(before - 1_000)
    await server.runScheduled('* * * * *')
    expect(countFree()).toBe(0)
    file.close()
    await server.stop()
    expect((await stat(path)).size).toBeLessThan(100_000)
  })

  it('deletes expired content a few at a time, and lets requests run in between', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => {})
    const folder = await createFolder()
    await using server = await startTestServer({}, folder)
    const { CONTENTS } = server.env
    const expirationTtl = 60
    for (let index = 0; index < 8; index += 1)
      await CONTENTS.put(`large ${index}`, new Uint8Array(4_000_000), { expirationTtl })
    for (let index = 0; index < 300; index += 1) await CONTENTS.put(`small ${index}`, 'x', { expirationTtl })
    await CONTENTS.put('kept', 'x')
    using file = new DatabaseSync(join(folder, 'contents.sqlite'), { readOnly: true })
    const count = () => Number(file.prepare('SELECT count(*) AS count FROM entries').get()?.count)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
    let isDone = false
    const job = server.runScheduled('* * * * *').finally(() => {
      isDone = true
    })
    const counts = new Set<number>()
    while (!isDone) {
      counts.add(count())
      expect((await fetch(`${server.url}/v1`)).status).toBe(200)
    }
    await job
    vi.useRealTimers()
    counts.add(count())
    expect([...counts]).toEqual([309, 307, 305, 303, 1])
  })

  it('deletes expired content also if it fails', async () => {
    const folder = await createFolder()
    await using server = await startTestServer({}, folder)
    await server.env.CONTENTS.put('expired', 'x', { expirationTtl: 60 })
    await server.env.DB.exec('DROP TABLE heartbeat')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
    await expect(server.runScheduled('* * * * *')).rejects.toThrow('no such table: heartbeat')
    vi.useRealTimers()
    using file = new DatabaseSync(join(folder, 'contents.sqlite'), { readOnly: true })
    expect(file.prepare('SELECT name FROM entries').all()).toEqual([])
  })
})
