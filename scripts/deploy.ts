import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { type DeployContext, deployService } from './deploy/deployment.ts'
import { parseDeployOptions } from './deploy/options.ts'
import { openStorage } from './support/database.ts'
import { openReadReplication } from './support/read-replication.ts'
import { ROOT, runScript, runWrangler, startWrangler } from './support/wrangler.ts'

const HELP = `Upgrades the deployed database, then deploys the Worker.

Usage: npm run deploy -- [options]

  --site URL        the address of the site; written to wrangler.toml, with its domain
  --admin NAME      the first account, which is an admin
  --email EMAIL     its email address
  --no-questions    don't ask for these
  --dry-run         list the steps and try the build, but change nothing
  --help            show this help
  …                 any other option of "wrangler deploy"

The first deployment creates the database, the KV namespace and the secret that signs sessions, asks for the
address of the site and for the first account, and prints the account's API key. Without a terminal, nothing is
asked. You can run it again at any time.
`

const CONFIG_FILE = join(ROOT, 'wrangler.toml')

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
    const child = startWrangler(['deploy', ...args, ...withSecrets], {
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
    storage: openStorage({ remote: true, persistTo: null }),
    openReadReplication: (database) =>
      openReadReplication({ runWrangler, fetch, env: process.env, database }),
    ask: options.questions && isInteractive() ? ask : null,
    readConfig: () => readFile(CONFIG_FILE, 'utf8'),
    writeConfig: (toml) => writeFile(CONFIG_FILE, toml),
    generateSecret: () => randomBytes(32).toString('base64'),
    print: (text) => process.stdout.write(text),
  }
  await deployService(context, options)
})
