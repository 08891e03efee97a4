import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { checkAccount, SKIPPED_ACCOUNT } from './doctor/check-account.ts'
import {
  checkConfig,
  checkSpelling,
  formatSections,
  listProblems,
  readRawConfig,
  readWorkerConfig,
  type Section,
  toVariables,
  type WorkerConfig,
} from './doctor/check-config.ts'
import { checkService, SKIPPED_SERVICE } from './doctor/check-service.ts'
import { listUnknownSettings, writeConfig } from './support/config.ts'
import { openStorage } from './support/database.ts'
import { openDeployedDatabase, settleDatabase } from './support/deployed-database.ts'
import { CommandError, parseOptions, ROOT, runCommand } from './support/script.ts'
import { runWrangler } from './support/wrangler.ts'

const HELP = `Checks a deployment and says what to fix.

Usage: npm run doctor -- [options]

  --remote         check the Worker's secrets and the database in your Cloudflare account, too
  --url URL        check the running service at this address, too
  --config FILE    the configuration to check (default: wrangler.toml with regent.toml over it)
  --json           print the findings as one JSON object
  --help           show this help

Without --remote and --url, only the configuration is checked, without a network.
Exit code: 0 if there is no problem, 1 if there is one, 2 if the check wasn't possible.
`

const getDatabaseName = ({ d1_databases }: WorkerConfig): string =>
  d1_databases.find(({ binding }) => binding === 'DB')?.database_name ?? 'regent'

const listMigrations = async (): Promise<string[]> =>
  (await readdir(join(ROOT, 'migrations'))).filter((name) => name.endsWith('.sql')).sort()

interface Options {
  readonly config?: string | undefined
  readonly remote: boolean
  readonly url?: string | undefined
}

async function examine({ config: path, remote, url }: Options): Promise<Section[]> {
  if (url !== undefined && !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) {
    throw new CommandError(`Not a URL: ${url}`)
  }
  if (remote && path === undefined) await settleDatabase()
  const file = path === undefined ? writeConfig() : resolve(path)
  const config = await readWorkerConfig(file)
  const findings = [...checkSpelling(listUnknownSettings(await readRawConfig(file))), ...checkConfig(config)]
  const account = async () =>
    checkAccount(
      {
        runWrangler,
        storage: openStorage({ remote: true, persistTo: null }, { migrate: false }),
        openDatabase: () =>
          openDeployedDatabase({ runWrangler, fetch, env: process.env }, getDatabaseName(config)),
        migrations: await listMigrations(),
      },
      toVariables(config),
    )
  return [
    { title: `Configuration (${path ?? 'wrangler.toml and regent.toml'})`, findings },
    { title: 'Cloudflare account', findings: remote ? await account() : [SKIPPED_ACCOUNT] },
    {
      title: url === undefined ? 'Running service' : `Running service (${url})`,
      findings: url === undefined ? [SKIPPED_SERVICE] : await checkService(url),
    },
  ]
}

async function main(): Promise<void> {
  const values = parseOptions(HELP, {
    remote: { type: 'boolean', default: false },
    url: { type: 'string' },
    config: { type: 'string' },
    json: { type: 'boolean', default: false },
  })
  const sections = await examine(values)
  process.stdout.write(values.json ? `${JSON.stringify({ sections })}\n` : formatSections(sections))
  if (listProblems(sections).length > 0) process.exitCode = 1
}

const code = await runCommand(main, (text) => process.stderr.write(text))
if (code !== 0) process.exitCode = 2
