import { processAccountDeletions, startAccountDeletion } from '../../src/accounts/account-deletion.ts'
import { cleanup } from '../../src/documents/cleanup.ts'
import { ContentStore } from '../../src/documents/content-store.ts'
import service from '../../src/index.ts'
import { Database } from '../../src/platform/database.ts'
import { bindingsWith } from '../support/bindings.ts'
import { forgetSearch } from '../support/storage/cleanup.ts'
import { listReferencedKeys, listStoredKeys } from '../support/storage/contents.ts'

const HOUR_MS = 3_600_000

/** Runs a job of the scheduled trigger. `hours` moves the clock, so that cleanup needn't wait. */
async function runJob(url: URL, { DB, CONTENTS }: Env): Promise<Response> {
  const store = { db: new Database(DB, 10_000), contents: new ContentStore(CONTENTS, 10_000) }
  const hours = Number(url.searchParams.get('hours') ?? 2)
  const account = url.searchParams.get('account')
  switch (url.pathname) {
    case '/faults/state':
      return Response.json({ stored: await listStoredKeys(), referenced: await listReferencedKeys() })
    case '/faults/cleanup': {
      const now = Date.now() + hours * HOUR_MS
      await forgetSearch()
      return Response.json(await cleanup(store, { now, budgetMs: 60_000, clock: Date.now, orphanGraceMs: 0 }))
    }
    case '/faults/delete-account':
      if (account !== null) await startAccountDeletion(store.db, account, 'delete')
      return Response.json({ done: await processAccountDeletions(store, () => true) })
    default:
      return new Response(null, { status: 404 })
  }
}

/** The service, which its driver can kill before or after the nth storage call of a request. */
export default {
  async fetch(request: Request<unknown, IncomingRequestCfProperties>, env: Env, ctx: ExecutionContext) {
    const killer = request.headers.get('X-Kill-Url')
    const [nth, moment] = (request.headers.get('X-Kill') ?? '0 before').split(' ')
    const deferred: Promise<unknown>[] = []
    let calls = 0
    const bindings = bindingsWith(async (_, run) => {
      calls += 1
      if (calls !== Number(nth) || killer === null) return run()
      if (moment === 'after') await run()
      // The driver kills this process and never answers.
      await fetch(killer)
      return new Promise(() => {})
    })
    const waitUntil = (work: Promise<unknown>) => {
      deferred.push(work)
      ctx.waitUntil(work)
    }
    const url = new URL(request.url)
    const answer = url.pathname.startsWith('/faults/')
      ? await runJob(url, bindings)
      : await service.fetch(request, { ...env, ...bindings }, { ...ctx, waitUntil } as ExecutionContext)
    if (!request.headers.has('X-Count-Calls')) return answer
    const body = await answer.arrayBuffer()
    await Promise.allSettled(deferred)
    const init = { status: answer.status, headers: { 'X-Calls': String(calls) } }
    return new Response(body.byteLength === 0 ? null : body, init)
  },
} satisfies ExportedHandler<Env>
