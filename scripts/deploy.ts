import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { type DeployContext, deployService } from './deploy/deployment.ts'
import { parseDeployOptions } from './deploy/texts.ts'
import type { Finding } from './doctor/check-config.ts'
import { readRawConfig, readWorkerConfig, toVariables } from './doctor/check-config.ts'
import { checkService } from './doctor/check-service.ts'
import {
  listUnknownSettings,
  moveSettings,
  writeConfig,
  writeDeployConfig,
  writeSettings,
} from './support/config.ts'
import { openStorage } from './support/database.ts'
import { openDeployedDatabase } from './support/deployed-database.ts'
import { runScript } from './support/script.ts'
import { runWrangler, startWrangler } from './support/wrangler.ts'

const HELP = `Upgrades the deployed database, then deploys the Worker.

Usage: npm run deploy -- [options]

  --site URL        the address of the site; written to regent.toml, with its domain
  --admin NAME      the first account, which is an admin
  --email EMAIL     its email address
  --plan PLAN       the Workers plan of your account, free or paid: the quotas follow from it
  --operator NAME   who runs the server, for its privacy and terms pages
  --no-questions    don't ask for these
  --take-over       use a database that belongs to another Worker, which this one replaces
  --no-check        don't ask the service afterwards whether it works
  --dry-run         list the steps and try the build, but change nothing
  --help            show this help
  …                 other options of "wrangler deploy"

The first deployment creates the database, the KV namespace and the secret that signs sessions, asks for the
address of the site, your plan, who runs it and the first account, and prints the account's API key. Without a
terminal, nothing is asked. You can run it again at any time.

Your settings are in regent.toml, over the defaults of wrangler.toml. Changes that you have made in wrangler.toml
are moved there.
`

/** A new version takes a few seconds to be everywhere. */
const HEALTH_ATTEMPTS = 4
const HEALTH_PAUSE_MS = 2_000

/** Asks the deployed service what is wrong with it, again if it doesn't answer or isn't well yet. */
async function examine(site: string): Promise<readonly Finding[] | null> {
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(`${site}/health`, { signal: AbortSignal.timeout(10_000) }).catch(() => null)
    if (answer?.ok || attempt === HEALTH_ATTEMPTS) return answer && checkService(site)
    await new Promise((wait) => setTimeout(wait, HEALTH_PAUSE_MS))
  }
}

const getPattern = (route: unknown): string =>
  typeof route === 'object' && route !== null && 'pattern' in route ? String(route.pattern) : String(route)

/** Reads the configuration that takes effect, with the options that change it. */
async function readDeployedConfig(others: readonly string[]) {
  const { values } = parseArgs({ args: [...others], strict: false, options: VARIABLES })
  const file = writeConfig()
  const config = await readWorkerConfig(file)
  const variables = (values.var ?? []).map((entry): [string, string] => {
    const [name = '', ...value] = String(entry).split(':')
    return [name, value.join(':')]
  })
  return {
    worker: config.name ?? 'regent',
    databaseName: config.d1_databases.find(({ binding }) => binding === 'DB')?.database_name ?? null,
    routes: [...(config.routes ?? []), ...(config.route === undefined ? [] : [config.route])].map(getPattern),
    variables: { ...toVariables(config), ...Object.fromEntries(variables) },
    unknownSettings: listUnknownSettings(await readRawConfig(file)),
  }
}

/** The option of wrangler that changes the configuration. */
const VARIABLES = { var: { type: 'string', multiple: true } } as const

/** Runs "wrangler deploy" in the terminal. Secrets go through a file that nobody else can read. */
async function deploy(
  args: readonly string[],
  secrets: Readonly<Record<string, string>>,
): Promise<string[] | null> {
  const folder = await mkdtemp(join(tmpdir(), 'regent-deploy-'))
  try {
    const [secretsFile, report] = [join(folder, 'secrets.json'), join(folder, 'report.ndjson')]
    await writeFile(secretsFile, JSON.stringify(secrets), { mode: 0o600 })
    const withSecrets = Object.keys(secrets).length === 0 ? [] : ['--secrets-file', secretsFile]
    const child = startWrangler(['deploy', ...args, '--config', writeDeployConfig(), ...withSecrets], {
      env: { WRANGLER_OUTPUT_FILE_PATH: report },
    })
    const code = await new Promise<number>((done) => child.once('exit', (code) => done(code ?? 1)))
    if (code !== 0) return null
    return findAddresses(await readFile(report, 'utf8').catch(() => ''))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns the addresses of the Worker from wrangler's report, which has one JSON object per line. */
function findAddresses(report: string): string[] {
  const entries = report
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { type: string; targets?: string[] })
  return entries
    .flatMap(({ type, targets }) => (type === 'deploy' ? (targets ?? []) : []))
    .map((target) => target.replace(/ \(.*\)$/, ''))
    .map((target) => (target.startsWith('https://') ? target : `https://${target}`))
}

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return await terminal.question(question)
  } finally {
    terminal.close()
  }
}

/** Returns true if a person is at the terminal, and not a build service. */
const isInteractive = (): boolean =>
  process.stdin.isTTY === true && process.stdout.isTTY === true && !process.env.CI

await runScript(async () => {
  const options = parseDeployOptions(process.argv.slice(2))
  if (options.help) {
    process.stdout.write(HELP)
    return
  }
  const context: DeployContext = {
    runWrangler,
    deploy,
    // Nothing is migrated before it's known whose database it is.
    storage: openStorage({ remote: true, persistTo: null }, { migrate: false }),
    openDatabase: (name) => openDeployedDatabase({ runWrangler, fetch, env: process.env }, name),
    ask: options.questions && isInteractive() ? ask : null,
    readConfig: () => readDeployedConfig(options.others),
    writeSettings,
    moveSettings,
    examine,
    generateSecret: () => randomBytes(32).toString('base64'),
    print: (text) => process.stdout.write(text),
  }
  await deployService(context, options)
})
