import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'

interface Answer {
  readonly status: number
  readonly result?: unknown
  readonly code?: number
  readonly message?: string
}

const ok = (result: unknown = null): Answer => ({ status: 200, result })
const missing = (message: string, code = 7500): Answer => ({ status: 404, message, code })

/** Runs SQL as Cloudflare's API does: as one transaction, with the rows of each statement. */
function query(db: DatabaseSync, sql: string): Answer {
  try {
    if (/^\s*SELECT/.test(sql)) return ok([{ success: true, results: db.prepare(sql).all() }])
    db.exec('BEGIN')
    try {
      db.exec(sql)
      db.exec('COMMIT')
    } catch (error) {
      db.exec('ROLLBACK')
      throw error
    }
    return ok([{ success: true, results: [] }])
  } catch (error) {
    return { status: 400, message: String(error), code: 7500 }
  }
}

/** A stand-in for Cloudflare's API with one account: as much of it as a deployment needs. */
export class CloudflareApi {
  /** Null if the database doesn't exist yet. */
  database: DatabaseSync | null = null
  namespaces: string[] = []
  /** The mode of read replication of the database. */
  replication = 'disabled'
  /** What the upload of the Worker sent; null before it. */
  uploaded: string | null = null
  /** What the upload of the Worker sent that wrangler reaches remote bindings through; null before it. */
  proxy: string | null = null
  /** Method and path of every request, in order. */
  readonly requests: string[] = []
  readonly unknown: string[] = []
  #server: Server

  constructor() {
    this.#server = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString('latin1')
      const url = new URL(request.url ?? '', 'http://api')
      const line = `${request.method} ${url.pathname.replace('/accounts/account', '')}`
      this.requests.push(line)
      const { status, result = null, message, code } = this.#answer(line, url, body)
      const errors = message === undefined ? [] : [{ code, message }]
      response.writeHead(status, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify({ success: status === 200, result, errors, messages: [], result_info: {} }))
    })
  }

  async start(): Promise<Record<string, string>> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done))
    const { port } = this.#server.address() as AddressInfo
    return {
      CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${port}`,
      CLOUDFLARE_API_TOKEN: 'token',
      CLOUDFLARE_ACCOUNT_ID: 'account',
    }
  }

  stop(): void {
    this.#server.close()
  }

  #answer(line: string, url: URL, body: string): Answer {
    if (line.includes('/d1/database')) return this.#answerD1(line, body)
    if (line.includes('/storage/kv/namespaces')) return this.#answerKv(line, url, body)
    if (line.includes('/workers/')) return this.#answerWorkers(line, body)
    this.unknown.push(line)
    return missing(`Not part of this test: ${url.pathname}`)
  }

  #answerD1(line: string, body: string): Answer {
    if (line === 'POST /d1/database') {
      this.database = new DatabaseSync(':memory:')
      return ok({ uuid: 'uuid', name: JSON.parse(body).name })
    }
    if (line === 'GET /d1/database') return ok(this.database ? [{ uuid: 'uuid', name: 'regent' }] : [])
    if (!this.database) return missing('The database regent could not be found', 7404)
    if (line.endsWith('/query')) return query(this.database, JSON.parse(body).sql)
    if (line.startsWith('PUT')) this.replication = JSON.parse(body).read_replication.mode
    return ok({ uuid: 'uuid', name: 'regent', read_replication: { mode: this.replication } })
  }

  #answerKv(line: string, url: URL, body: string): Answer {
    if (line.startsWith('POST')) {
      this.namespaces.push(JSON.parse(body).title)
      return ok({ id: 'namespace 0' })
    }
    if (Number(url.searchParams.get('page') ?? 1) > 1) return ok([])
    return ok(this.namespaces.map((title, index) => ({ id: `namespace ${index}`, title })))
  }

  #answerWorkers(line: string, body: string): Answer {
    if (line.endsWith('/subdomain/edge-preview')) return ok({ token: 'session' })
    if (line.startsWith('POST') && line.endsWith('/edge-preview')) {
      this.proxy = body
      return { status: 503, message: 'No remote bindings here', code: 10013 }
    }
    if (this.uploaded === null && line === 'PUT /workers/scripts/regent') {
      this.uploaded = body
      return ok({ id: 'regent', tag: 'tag', deployment_id: 'deployment', startup_time_ms: 1 })
    }
    if (line === 'GET /workers/subdomain') return ok({ subdomain: 'someone' })
    if (line.endsWith('/assets-upload-session')) return ok({ jwt: 'jwt', buckets: [] })
    if (this.uploaded === null) return missing('This Worker does not exist on your account.', 10007)
    this.unknown.push(line)
    return ok({})
  }
}
