import { applyMigrations } from './database.ts'
import { createDemoDocument, formatWelcome, prepareDemo } from './dev/demo.ts'
import { getLocalVars, HOST, parseOptions, requireFreePort, requireWritable } from './dev/options.ts'
import { repeat, SCHEDULED_JOB_MINUTES, triggerScheduledJob } from './dev/scheduled-job.ts'
import { CommandError, runScript, startWrangler } from './wrangler.ts'

const HELP = `Runs Regent on this machine, with a local database.

Usage: npm run dev -- [options]

  --port N             listen on port N (default 8787)
  --persist-to DIR     store data in DIR (default .wrangler/state)
  --help               show this help
  …                    any other option of "wrangler dev"

The first start creates a confirmed account named "demo" and prints its API key. A database from an earlier
version is upgraded. As in production, the scheduled job runs every ${SCHEDULED_JOB_MINUTES} minutes.
`

const START_TIMEOUT_MS = 60_000

/** Waits until the service answers. Throws a CommandError if it exits or takes too long. */
async function waitUntilReady(base: string, ended: AbortSignal): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (!ended.aborted && Date.now() < deadline) {
    const answer = await fetch(`${base}/v1`, { signal: AbortSignal.timeout(2_000) }).catch(() => null)
    if (answer?.ok) return
    await new Promise((wait) => setTimeout(wait, 100))
  }
  throw new CommandError("The service didn't start. See wrangler's output above.")
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
    { stdio: ['ignore', 'inherit', 'inherit'] },
  )
  const ended = new AbortController()
  server.once('exit', (code) => {
    ended.abort()
    process.exitCode = code ?? 0
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))

  const base = `http://${HOST}:${port}`
  try {
    const [{ key, documentId }] = await Promise.all([prepareDemo(target), waitUntilReady(base, ended.signal)])
    process.stdout.write(formatWelcome(base, key, documentId ?? (await createDemoDocument(base, key))))
  } catch (error) {
    server.kill('SIGTERM')
    throw error
  }
  await repeat(() => triggerScheduledJob(base), {
    everyMs: SCHEDULED_JOB_MINUTES * 60_000,
    signal: ended.signal,
    onError: (error) => process.stderr.write(`The scheduled job failed: ${error}\n`),
  })
}

await runScript(main)
