// Runs in front of the service for `npm run torture -- cost`. Counts what each request causes, including the work after its
// answer, and adds the counts to the answer in the header `X-Cost`. Requests must come one after the other.
import service from './index.js'

let cost

/** Adds to what the present request has cost. */
const add = (name, amount = 1) => {
  cost[name] = (cost[name] ?? 0) + amount
}

function addStatements(answers) {
  add('calls')
  add('statements', answers.length)
  for (const { meta } of answers) {
    add('rowsRead', meta.rows_read)
    add('rowsWritten', meta.rows_written)
  }
}

class Statement {
  constructor(real) {
    this.real = real
  }
  bind(...parameters) {
    return new Statement(this.real.bind(...parameters))
  }
  async all() {
    const answer = await this.real.all()
    addStatements([answer])
    return answer
  }
  async first() {
    return (await this.all()).results[0] ?? null
  }
}

const countStatements = (real) => ({
  prepare: (sql) => new Statement(real.prepare(sql)),
  batch: async (statements) => {
    const answers = await real.batch(statements.map((statement) => statement.real))
    addStatements(answers)
    return answers
  },
})

const countDatabase = (real) => ({
  ...countStatements(real),
  withSession: (from) => {
    const session = real.withSession(from)
    return { ...countStatements(session), getBookmark: () => session.getBookmark() }
  },
})

const countContents = (real) =>
  Object.fromEntries(
    ['get', 'put', 'delete', 'list'].map((method) => [
      method,
      (...parameters) => {
        add(method)
        return real[method](...parameters)
      },
    ]),
  )

let counting

/** The service parses the configuration once for each `env`, so this returns the same one for every request. */
function countBindings(env) {
  const countLimit = (name) => ({
    limit: async () => {
      cost.limits.push(name)
      return { success: true }
    },
  })
  const limits = Object.entries(JSON.parse(env.LIMITS)).map(([name, binding]) => [binding, countLimit(name)])
  counting ??= {
    ...env,
    DB: countDatabase(env.DB),
    CONTENTS: countContents(env.CONTENTS),
    EMAIL: {
      send: async (email) => {
        add('emails')
        cost.email = email.text
      },
    },
    ...Object.fromEntries(limits),
  }
  return counting
}

/** Takes as long on any machine as other code there: text is searched, parsed and hashed. */
async function calibrate() {
  const text = 'All work and no play makes a dull document.\n'.repeat(20_000)
  for (let round = 0; round < 20; round++) {
    const lines = JSON.parse(JSON.stringify(text.split('\n')))
    const words = lines.reduce((sum, line) => sum + (line.match(/\w+/g)?.length ?? 0), 0)
    await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text + words))
  }
  return new Response('')
}

export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/cost/nothing') return new Response('')
    if (pathname === '/cost/calibrate') return calibrate()
    cost = { limits: [] }
    const afterwards = []
    const counted = { waitUntil: (work) => afterwards.push(work), passThroughOnException() {}, props: {} }
    const bindings = countBindings(env)
    const run = async () => {
      if (pathname !== '/cost/scheduled') return service.fetch(request, bindings, counted)
      const controller = { cron: searchParams.get('cron'), scheduledTime: Date.now(), noRetry() {} }
      await service.scheduled(controller, bindings, counted)
      return new Response('')
    }
    const answer = await run()
    const body = await answer.arrayBuffer()
    // Work that goes on after the answer may start more.
    for (const work of afterwards) await Promise.allSettled([work])
    const headers = new Headers(answer.headers)
    headers.set('X-Cost', encodeURIComponent(JSON.stringify(cost)))
    return new Response(body.byteLength > 0 ? body : null, { status: answer.status, headers })
  },
}
