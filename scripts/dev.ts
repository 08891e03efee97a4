import type { ChildProcess } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import {
  type DevOptions,
  getDebuggerEnv,
  getLocalVars,
  type Listening,
  parseOptions,
  requireFreePort,
} from './dev/options.ts'
import {
  createDemoDocument,
  formatKey,
  formatWelcome,
  HEARTBEAT_CRON,
  prepareDemo,
  repeat,
  SCHEDULED_JOB_MINUTES,
  triggerScheduledJob,
  waitUntilListening,
  waitUntilReady,
} from './dev/ready.ts'
import type { Target } from './support/bindings.ts'
import { getVariables, listUnknownSettings, readConfig } from './support/config.ts'
import {
  explainStorageFault,
  findDamagedFile,
  hasStorageFault,
  lockDataFolder,
  prepareDataFolder,
} from './support/data-folder.ts'
import { applyMigrations } from './support/database.ts'
import { onOrphaned } from './support/on-orphaned.ts'
import { CommandError, runScript, startWrangler } from './support/wrangler.ts'

const HELP = `Runs Regent on this machine, with a local database.

Usage: npm run dev -- [options]

  --port N             listen on port N (default 8787)
  --ip ADDRESS         listen on ADDRESS (default 127.0.0.1); 0.0.0.0 lets other devices in
  --persist-to DIR     store data in DIR (default .wrangler/state)
  --verbose            show everything that wrangler prints
  --help               show this help
  …                    other options of "wrangler dev", such as --var NAME:VALUE, --env-file FILE, --inspector-port N,
                       --local-protocol https and --log-level LEVEL (emails are printed at "log" and "debug" only)

The first start creates a confirmed account named "demo" and prints its API key. A database from an earlier
version is upgraded. Only one server can use a folder. As in production, the scheduled job runs every ${SCHEDULED_JOB_MINUTES} minutes.
`

/** Makes a process end when its parent does, even if the parent is killed. */
const END_WITH_PARENT =
  '--import=data:text/javascript,process.once(%22disconnect%22,()=>process.kill(process.pid)).channel?.unref()'

/**
 * Starts wrangler. What it prints is kept back until the service runs: it's needed only if the start fails. Afterwards, a
 * fault of the storage is explained once.
 */
function startServer(args: readonly string[], { listening, folder, verbose, others }: DevOptions) {
  const { NODE_OPTIONS = '', NO_COLOR, FORCE_COLOR } = process.env
  const colors = process.stdout.isTTY && NO_COLOR === undefined ? (FORCE_COLOR ?? '1') : FORCE_COLOR
  const child = startWrangler(['dev', '--var', 'LOCAL_SERVER:on', ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // A group of its own, so that all its processes can be ended together.
    detached: process.platform !== 'win32',
    env: {
      ...getDebuggerEnv(others),
      NODE_OPTIONS: `${NODE_OPTIONS} ${END_WITH_PARENT}`,
      ...(colors !== undefined && { FORCE_COLOR: colors }),
      // Other devices could pretend to be this machine, and read the whole database.
      ...(listening.others.length > 0 && { X_LOCAL_EXPLORER: 'false' }),
    },
  })
  let held: (() => void)[] | null = verbose ? null : []
  const show = () => {
    for (const write of held ?? []) write()
    held = null
  }
  let explained: string | null = null
  const explain = async (text: string) => {
    const fault = await explainStorageFault(folder, text)
    if (fault === null || fault === explained) return
    explained = fault
    process.stderr.write(`\n${fault}\n\n`)
  }
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const) {
    from?.on('data', (chunk: Buffer) => {
      const text = String(chunk)
      if (held === null) to.write(chunk)
      else held.push(() => to.write(chunk))
      // If the build fails, wrangler waits for a change.
      if (/\[ERROR\]/.test(stripVTControlCharacters(text))) show()
      if (hasStorageFault(text)) explain(text).catch((error) => process.stderr.write(`${error}\n`))
    })
  }
  const discard = () => {
    held = null
  }
  return { child, show, discard }
}

/** How long wrangler gets to end its processes by itself. */
const STOP_MS = 1_500

/** Ends wrangler and what it has started, within two seconds. */
function endProcess(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const { pid } = child
  const killAll = () => {
    try {
      if (process.platform === 'win32') child.kill('SIGKILL')
      else process.kill(-pid, 'SIGKILL')
    } catch {
      // All of them have ended.
    }
  }
  child.kill('SIGTERM')
  const timer = setTimeout(killAll, STOP_MS)
  child.once('exit', () => {
    clearTimeout(timer)
    // Wrangler leaves a build that is running.
    killAll()
  })
}

/** Prepares the demo account and prints how to use the service. */
async function welcome(
  listening: Listening,
  target: Target,
  { ended, discard }: { ended: AbortSignal; discard: () => void },
): Promise<void> {
  const { base } = listening
  const ready = waitUntilReady(base, ended)
  // It may fail while the account is being created.
  ready.catch(() => {})
  const { key, documentId } = await prepareDemo(target)
  try {
    await ready
    const text = formatWelcome(listening, key, documentId ?? (await createDemoDocument(base, key, ended)))
    discard()
    process.stdout.write(text)
  } catch (error) {
    // The key isn't shown again.
    if (key !== null) process.stdout.write(`\n${formatKey(key)}\n`)
    throw error
  }
}

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2))
  const { listening, folder, others } = options
  if (options.help) {
    process.stdout.write(HELP)
    return
  }
  const { ip, port, base } = listening
  await prepareDataFolder(folder)
  const unlock = lockDataFolder(folder, base)
  await requireFreePort(listening)
  const damage = await findDamagedFile(folder)
  if (damage !== null) throw new CommandError(damage)
  const vars = await getLocalVars({ folder, others })
  process.stdout.write('Starting Regent …\n')
  const config = readConfig()
  for (const name of listUnknownSettings(config))
    process.stdout.write(`${name} is nothing that wrangler knows, so it has no effect. Check its spelling.\n`)
  const { SITE_URL = '' } = getVariables(config)
  if (SITE_URL !== '')
    process.stdout.write(
      `SITE_URL = "${SITE_URL}" of your settings doesn't apply here: links lead to the address that they were made at.\n`,
    )
  const target = { remote: false, persistTo: folder }
  await applyMigrations(target)

  const { child, show, discard } = startServer(
    ['--ip', ip, '--port', String(port), '--persist-to', folder, ...vars, ...others],
    options,
  )
  const ended = new AbortController()
  let isStopping = false
  child.once('exit', (code) => {
    unlock()
    ended.abort()
    // A service that ends by itself has failed, whatever wrangler says.
    process.exitCode ||= isStopping ? 0 : code || 1
  })
  const stop = () => {
    if (!isStopping) endProcess(child)
    isStopping = true
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  onOrphaned(stop)

  try {
    await waitUntilListening(child, listening)
    await welcome(listening, target, { ended: ended.signal, discard })
  } catch (error) {
    if (isStopping) return
    show()
    // If the server ended because another program has taken the port in the meantime, say so.
    if (ended.signal.aborted) await requireFreePort(listening)
    endProcess(child)
    throw error
  }
  const schedule = {
    signal: ended.signal,
    onError: (error: unknown) => process.stderr.write(`The scheduled job failed: ${error}\n`),
  }
  const beat = () => triggerScheduledJob(base, HEARTBEAT_CRON)
  await beat().catch(schedule.onError)
  // While it was off, nothing did what is due.
  await triggerScheduledJob(base).catch(schedule.onError)
  await Promise.all([
    repeat(() => triggerScheduledJob(base), { everyMs: SCHEDULED_JOB_MINUTES * 60_000, ...schedule }),
    repeat(beat, { everyMs: 60_000, ...schedule }),
  ])
}

await runScript(main)
