import { execFile } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const ROOT = new URL('../..', import.meta.url).pathname

/** Null means that the database doesn't exist yet. */
let database: DatabaseSync | null
let api: Server
let requests: string[]

/** Runs SQL as Cloudflare's API does: as one transaction. */
function query(db: DatabaseSync, sql: string): unknown[] {
  if (/^\s*SELECT/.test(sql)) return [{ success: true, results: db.prepare(sql).all() }]
  db.exec('BEGIN')
  try {
    db.exec(sql)
    db.exec('COMMIT')
  } catch (error) {
    db.exec('ROLLBACK')
    throw error
  }
  return [{ success: true, results: [] }]
}

function answer(path: string, body: string): { status: number; result?: unknown; message?: string } {
  const { pathname } = new URL(path, 'http://api')
  if (!pathname.includes('/d1/')) return { status: 404, message: 'Workers are not part of this test' }
  if (!database) return { status: 404, message: 'The database regent could not be found' }
  if (!pathname.endsWith('/query')) return { status: 200, result: { uuid: 'uuid', name: 'regent' } }
  try {
    return { status: 200, result: query(database, JSON.parse(body).sql) }
  } catch (error) {
    return { status: 400, message: String(error) }
  }
}

/** Enough of Cloudflare's API to migrate a database. Uploading a Worker fails. */
beforeEach(async () => {
  requests = []
  database = new DatabaseSync(':memory:')
  api = createServer(async (request, response) => {
    const body = (await request.toArray()).join('')
    const { status, result = null, message } = answer(request.url ?? '', body)
    requests.push(`${request.method} ${request.url?.split('?')[0]}`)
    const errors = message === undefined ? [] : [{ code: 7500, message }]
    response.writeHead(status, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify({ success: status === 200, result, errors, messages: [] }))
  })
  await new Promise<void>((done) => api.listen(0, '127.0.0.1', done))
})

afterEach(() => {
  api.close()
})

async function deploy(): Promise<{ code: number; stderr: string }> {
  const env = {
    ...process.env,
    CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
    CLOUDFLARE_API_TOKEN: 'token',
    CLOUDFLARE_ACCOUNT_ID: 'account',
  }
  return promisify(execFile)(process.execPath, ['scripts/deploy.ts'], { cwd: ROOT, env }).then(
    () => ({ code: 0, stderr: '' }),
    ({ code, stderr }) => ({ code, stderr }),
  )
}

const DATABASE_REQUEST = /\/accounts\/account\/d1\/database\//
const failedUpload = {
  code: 1,
  stderr: expect.stringContaining("The deployment failed. See wrangler's output above.\n"),
}

describe('npm run deploy', { timeout: 60_000 }, () => {
  it('applies the migrations before it uploads the Worker', async () => {
    expect(await deploy()).toEqual(failedUpload)
    const upload = requests.findIndex((request) => request.includes('/workers/'))
    expect(upload).toBeGreaterThan(0)
    expect(requests.slice(0, upload).every((request) => DATABASE_REQUEST.test(request))).toBe(true)
    expect(database?.prepare('SELECT name FROM d1_migrations').all().length).toBeGreaterThan(1)
    expect(database?.prepare('SELECT count(*) AS n FROM users').get()).toEqual({ n: 0 })
  })

  it('uploads the Worker first if there is no database yet', async () => {
    database = null
    expect(await deploy()).toEqual(failedUpload)
    expect(requests.some((request) => request.includes('/workers/'))).toBe(true)
  })

  it('uploads nothing if a migration fails', async () => {
    database?.exec('CREATE TABLE documents (id TEXT PRIMARY KEY)')
    const { code, stderr } = await deploy()
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^This database is older than commit 6f0127f, and can't be upgraded \(.*no such column.*\)\. It is unchanged\.\n$/,
    )
    expect(requests.some((request) => request.includes('/workers/'))).toBe(false)
    expect(database?.prepare('SELECT name FROM d1_migrations').all()).toEqual([])
  })
})
