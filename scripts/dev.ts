import { createDemoDocument, formatKey, formatWelcome, prepareDemo } from './dev/demo.ts'
import { getLocalVars } from './dev/local-vars.ts'
import { HOST, parseOptions, requireFreePort, requireWritable } from './dev/options.ts'
import { waitUntilListening, waitUntilReady } from './dev/ready.ts'
import { HEARTBEAT_CRON, repeat, SCHEDULED_JOB_MINUTES, triggerScheduledJob } from './dev/scheduled-job.ts'
import { applyMigrations, type Target } from './support/database.ts'
import { runScript, startWrangler } from './support/wrangler.ts'

const HELP = `Runs Regent on this machine, with a local database.

Usage: npm run dev -- [options]

  --port N             listen on port N (default 8787)
  --persist-to DIR     store data in DIR (default .wrangler/state)
  --help               show this help
  …                    any other option of "wrangler dev"

The first start creates a confirmed account named "demo" and prints its API key. A database from an earlier
version is upgraded. As in production, the scheduled job runs every ${SCHEDULED_JOB_MINUTES} minutes.
`

/** Prepares the demo account and prints how to use the service. */
async function welcome(base: string, target: Target, ended: AbortSignal): Promise<void> {
  const ready = waitUntilReady(base, ended)
  // It may fail while the account is being created.
  ready.catch(() => {})
  const { key, documentId } = await prepareDemo(target)
  try {
    await ready
    process.stdout.write(formatWelcome(base, key, documentId ?? (await createDemoDocument(base, key, ended))))
  } catch (error) {
    // The key isn't shown again.
    if (key !== null) process.stdout.write(`\n${formatKey(key)}\n`)
    throw error
  }
}

async function main(): Promise<void> {
  const { help, port, folder, others } = parseOptions(process.argv.slice(2))
  if (help) {
    process.stdout.write(HELP)
    return
  }
  await requireFreePort(port)
  await requireWritable(folder)
  const target = { remote: false, persistTo: folder }
  await applyMigrations(target)

  const vars = await getLocalVars(folder, others)
  const server = startWrangler(
    ['dev', '--ip', HOST, '--port', String(port), '--persist-to', folder, ...vars, ...others],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  )
  const ended = new AbortController()
  server.once('exit', (code) => {
    ended.abort()
    process.exitCode = code ?? 0
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))

  const base = `http://${HOST}:${port}`
  try {
    await waitUntilListening(server, port)
    await welcome(base, target, ended.signal)
  } catch (error) {
    // If the server ended because another program has taken the port in the meantime, say so.
    if (ended.signal.aborted) await requireFreePort(port)
    server.kill('SIGTERM')
    throw error
  }
  const schedule = {
    signal: ended.signal,
    onError: (error: unknown) => process.stderr.write(`The scheduled job failed: ${error}\n`),
  }
  const beat = () => triggerScheduledJob(base, HEARTBEAT_CRON)
  await beat().catch(schedule.onError)
  await Promise.all([
    repeat(() => triggerScheduledJob(base), { everyMs: SCHEDULED_JOB_MINUTES * 60_000, ...schedule }),
    repeat(beat, { everyMs: 60_000, ...schedule }),
  ])
}

await runScript(main)
