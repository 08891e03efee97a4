import { Console } from 'node:console'
import { onOrphaned } from '../scripts/support/on-orphaned.ts'
import { runScript } from '../scripts/support/script.ts'
import { logError, logLine } from '../src/platform/log.ts'
import { prepareDemo } from './demo.ts'
import { isLoopbackHost, readSettings, type Settings } from './settings.ts'
import { type RunningServer, startServer } from './start.ts'

/**
 * The program that `npm start` runs. Standard output has one line of JSON for each event, and people read standard
 * error.
 */

const print = (text: string) => void process.stderr.write(text)

/**
 * Sends everything to standard output, also errors. What isn't one of the app's lines comes from libraries, such as why an answer
 * broke off. The app prints emails with `console.log`, for people.
 */
function logToStdout(): void {
  const { log } = new Console(process.stdout)
  const printLine = (logged: unknown) =>
    typeof logged === 'string' && logged.startsWith('{')
      ? log(logged)
      : logError('printed by a library', '', logged)
  Object.assign(console, { log, info: printLine, warn: printLine, error: printLine })
}

/** Says where the service runs, and how to make an account if there is none. */
async function welcome({ url, env }: RunningServer, { demo, folder, variables }: Settings): Promise<void> {
  print(`\nRegent is running at ${url}\nIts data is in ${folder}\n`)
  const { SITE_URL = '' } = variables
  if (SITE_URL.startsWith('http://') && !isLoopbackHost(new URL(SITE_URL).hostname.replaceAll(/[[\]]/g, '')))
    print('\nSITE_URL does not start with https://, so browsers on other machines keep nobody signed in.\n')
  if (demo) print(await prepareDemo(env.DB, url))
  const user = await env.DB.prepare('SELECT 1 FROM users LIMIT 1').first()
  if (user !== null) return
  print(`
Create an account, which prints its API key:

npm run admin -- user add NAME --email ADDRESS --data ${folder}

`)
}

async function main(): Promise<void> {
  // The files of the data folder are its owner's only.
  process.umask(0o077)
  const settings = readSettings(process.argv.slice(2), process.env)
  logToStdout()
  let server: RunningServer | null = null
  let isStopping = false
  const stop = async (signal: string) => {
    // Somebody who asks twice doesn't want to wait.
    if (isStopping) process.exit(1)
    isStopping = true
    logLine('server stopping', { signal })
    // While it starts, there is nothing to wait for: a migration runs to its end before the signal gets here.
    await server?.stop()
    logLine('server stopped', {})
    process.exit(0)
  }
  // Before the start: the first process of a container gets no signal that it doesn't handle.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  onOrphaned(() => {
    if (!isStopping) void stop('npm has ended')
  })
  server = await startServer(settings)
  if (server.copy !== null) logLine('database copied before its migration', { copy: server.copy })
  logLine('server started', { url: server.url, metrics: server.metricsUrl, data: settings.folder })
  await welcome(server, settings)
}

await runScript(main)
