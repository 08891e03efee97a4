import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { splitStatements } from './commands.ts'

interface Answer {
  readonly status: number
  readonly result?: unknown
  readonly code?: number
  readonly message?: string
}

interface Binding {
  readonly type: string
  readonly name: string
  readonly id?: string
}

const ok = (result: unknown = null): Answer => ({ status: 200, result })
const missing = (message: string, code = 7500): Answer => ({ status: 404, message, code })

/** Runs SQL as Cloudflare's API does: as one transaction, with the rows of each statement. */
function query(db: DatabaseSync, sql: string): Answer {
  try {
    const isRead = /^\s*SELECT/.test(sql)
    const statements = isRead ? splitStatements(sql) : []
    db.exec('BEGIN')
    try {
      // Migrations have triggers, whose statements end with semicolons, too.
      if (!isRead) db.exec(sql)
      const results = statements.map((statement) => ({
        success: true,
        results: db.prepare(statement).all(),
      }))
      db.exec('COMMIT')
      return ok(isRead ? results : [{ success: true, results: [] }])
    } catch (error) {
      db.exec('ROLLBACK')
      throw error
    }
  } catch (error) {
    return { status: 400, message: String(error), code: 7500 }
  }
}

/** A stand-in for Cloudflare's API with one account: as much of it as a deployment needs. */
export class CloudflareApi {
  /** The databases, by name. The id of each is `uuid of NAME`. */
  readonly databases = new Map<string, DatabaseSync>()
  /** The bindings of each deployed Worker, by its name. */
  readonly workers = new Map<string, readonly Binding[]>()
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
    if (line.includes('/d1/database')) return this.#answerD1(line, url, body)
    if (line.includes('/storage/kv/namespaces')) return this.#answerKv(line, url, body)
    if (line.includes('/workers/')) return this.#answerWorkers(line, body)
    this.unknown.push(line)
    return missing(`Not part of this test: ${url.pathname}`)
  }

  #answerD1(line: string, url: URL, body: string): Answer {
    const describe = (name: string) => ({
      uuid: `uuid-of-${name}`,
      name,
      read_replication: { mode: this.replication },
    })
    if (line === 'POST /d1/database') {
      const { name } = JSON.parse(body)
      this.databases.set(name, new DatabaseSync(':memory:'))
      return ok(describe(name))
    }
    if (line === 'GET /d1/database') {
      const wanted = url.searchParams.get('name') ?? ''
      return ok([...this.databases.keys()].filter((name) => name.includes(wanted)).map(describe))
    }
    // By its id or its name.
    const [, key = ''] = /^\w+ \/d1\/database\/([^/]+)/.exec(line) ?? []
    const name = key.replace('uuid-of-', '')
    const database = this.databases.get(name)
    if (!database) return missing(`The database ${name} could not be found`, 7404)
    if (line.endsWith('/query')) return query(database, JSON.parse(body).sql)
    if (line.startsWith('PUT')) this.replication = JSON.parse(body).read_replication.mode
    return ok(describe(name))
  }

  #answerKv(line: string, url: URL, body: string): Answer {
    if (line.startsWith('POST')) {
      const count = this.namespaces.push(JSON.parse(body).title)
      return ok({ id: `namespace ${count - 1}` })
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
    const [, worker = ''] = /\/workers\/(?:scripts|services)\/([^/]+)/.exec(line) ?? []
    if (line === `PUT /workers/scripts/${worker}` || line === `POST /workers/scripts/${worker}/versions`) {
      this.uploaded = body
      const [, metadata = ''] = /name="metadata"\r\n\r\n(.*)\r\n/.exec(body) ?? []
      const { bindings }: { bindings: Binding[] } = JSON.parse(metadata)
      const before = this.workers.get(worker) ?? []
      const resolve = (binding: Binding) =>
        binding.type === 'inherit' ? (before.find(({ name }) => name === binding.name) ?? binding) : binding
      this.workers.set(worker, bindings.map(resolve))
      return ok({
        id: worker,
        tag: 'tag',
        deployment_id: 'deployment',
        startup_time_ms: 1,
        resources: { script: { etag: 'etag' } },
      })
    }
    if (line === 'GET /workers/subdomain') return ok({ subdomain: 'someone' })
    if (line.endsWith('/assets-upload-session')) return ok({ jwt: 'jwt', buckets: [] })
    if (!this.workers.has(worker)) return missing('This Worker does not exist on your account.', 10007)
    if (line.endsWith('/settings')) return ok({ bindings: this.workers.get(worker) })
    if (line.endsWith('/secrets')) return ok([])
    if (line.endsWith('/deployments')) return ok({ deployments: [] })
    if (line === `GET /workers/services/${worker}`)
      return ok({ default_environment: { script: { last_deployed_from: 'wrangler', tag: 'tag' } } })
    this.unknown.push(line)
    return ok({})
  }
}
