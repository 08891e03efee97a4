import { expect, it, vi } from 'vitest'
import { startTestServer } from './support/server.ts'

/** The values by their series, after a check of the text's format. */
function parse(text: string): Record<string, number> {
  const values: Record<string, number> = {}
  for (const line of text.trimEnd().split('\n')) {
    const [, series, value] = /^(\w+(?:\{\w+="[^"\\]*"(?:,\w+="[^"\\]*")*\})?) ([\d.e+-]+)$/.exec(line) ?? []
    if (series !== undefined) values[series] = Number(value)
    else expect(line).toMatch(/^# (?:HELP regent_\w+ .+|TYPE regent_\w+ (?:counter|gauge))$/)
  }
  return values
}

it('counts requests and jobs, at an address of its own', async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  await using server = await startTestServer({ METRICS_PORT: '0' }, null, { runsJobs: true })
  const read = async () => parse(await (await fetch(server.metricsUrl ?? '')).text())
  expect(server.metricsUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
  for (const path of ['/robots.txt', '/nowhere', '/v1/document/nowhere'])
    await (await fetch(server.url + path)).text()
  const { status } = await fetch(server.url, { method: 'PROPFIND' })
  const expected = {
    'regent_requests_total{method="GET",status="200"}': 1,
    'regent_requests_total{method="GET",status="404"}': 2,
    [`regent_requests_total{method="other",status="${status}"}`]: 1,
    regent_requests_in_flight: 0,
    'regent_jobs_total{cron="* * * * *",outcome="ok"}': 1,
    'regent_jobs_total{cron="*/5 * * * *",outcome="ok"}': 1,
  }
  await expect.poll(read).toMatchObject(expected)
  const { regent_resident_memory_bytes: memory, ...others } = await read()
  expect(memory).toBeGreaterThan(1_000_000)
  expect(Object.values(others).every(Number.isFinite)).toBe(true)
  expect((await fetch(new URL('/', server.metricsUrl ?? ''))).status).toBe(404)
  // The site itself has none.
  expect((await fetch(`${server.url}/metrics`)).status).toBe(404)
})
