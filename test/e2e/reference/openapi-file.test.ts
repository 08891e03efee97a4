import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../support/service.ts'
import { openTestSite } from '../support/test-site.ts'

const { service } = await openTestSite()
const ADDRESS = `${service.base}/v1/openapi.json`

describe('/v1/openapi.json', () => {
  it('is the document that the build wrote, for scripts of any origin', async () => {
    const response = await fetch(ADDRESS)
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toMatch(/^application\/json\b/)
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
    const text = await response.text()
    expect(text).toBe(await readFile(join(ROOT, 'dist/client/v1/openapi.json'), 'utf8'))
    expect(JSON.parse(text).openapi).toBe('3.1.1')
  })

  it('is not sent again if it has not changed', async () => {
    const tag = (await fetch(ADDRESS, { method: 'HEAD' })).headers.get('ETag') ?? ''
    expect(tag).not.toBe('')
    expect((await fetch(ADDRESS, { headers: { 'If-None-Match': tag } })).status).toBe(304)
  })

  it('names no host, so it is valid for every server', async () => {
    const { servers } = (await (await fetch(ADDRESS)).json()) as { servers: { url: string }[] }
    expect(servers.map(({ url }) => new URL(url, ADDRESS).href)).toEqual([`${service.base}/`])
  })

  it('is at the address in the greeting, which also links to the reference', async () => {
    const { data } = (await (await fetch(`${service.base}/v1`)).json()) as {
      data: { documentation: string; openapi: string }
    }
    expect(data.openapi).toBe(ADDRESS)
    expect((await fetch(data.documentation)).status).toBe(200)
  })
})
