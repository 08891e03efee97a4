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
import { checkServerFolder, checkServerSettings } from './doctor/check-server.ts'
import { checkService, SKIPPED_SERVICE } from './doctor/check-service.ts'
import { listUnknownSettings, writeConfig } from './support/config.ts'
import { openStorage } from './support/database.ts'
import { openDeployedDatabase, settleDatabase } from './support/deployed-database.ts'
import { CommandError, parseOptions, ROOT, runCommand } from './support/script.ts'
import { parseTarget } from './support/storage-command.ts'
import { runWrangler } from './support/wrangler.ts'

const HELP = `Checks a deployment and says what to fix.

Usage: npm run doctor -- [options]

  --remote         check the Worker's secrets and the database in your Cloudflare account, too
  --data DIR       check the server on one machine that stores its data in DIR (see "npm start"), and the
                   settings that it would get here
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
}

/** Checks a service on Cloudflare. */
async function examineWorker({ config: path, remote }: Options): Promise<Section[]> {
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
  ]
}

const examineServer = async (folder: string): Promise<Section[]> => [
  {
    title: 'Settings (wrangler.toml, regent.toml and the environment)',
    findings: checkServerSettings(folder),
  },
  { title: `Data (${folder})`, findings: await checkServerFolder(folder, await listMigrations()) },
]

async function examineService(url: string | undefined): Promise<Section> {
  if (url === undefined) return { title: 'Running service', findings: [SKIPPED_SERVICE] }
  return { title: `Running service (${url})`, findings: await checkService(url) }
}

async function main(): Promise<void> {
  const values = parseOptions(HELP, {
    remote: { type: 'boolean', default: false },
    url: { type: 'string' },
    config: { type: 'string' },
    data: { type: 'string' },
    json: { type: 'boolean', default: false },
  })
  const { url, config, remote } = values
  if (url !== undefined && !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) {
    throw new CommandError(`Not a URL: ${url}`)
  }
  if (config !== undefined && values.data !== undefined)
    throw new CommandError('Choose one of --config FILE and --data DIR.')
  // A configuration is one of a Worker.
  const { data } = config === undefined ? parseTarget(values) : {}
  const own = await (data === undefined ? examineWorker({ config, remote }) : examineServer(data))
  const sections = [...own, await examineService(url)]
  process.stdout.write(values.json ? `${JSON.stringify({ sections })}\n` : formatSections(sections))
  if (listProblems(sections).length > 0) process.exitCode = 1
}

const code = await runCommand(main, (text) => process.stderr.write(text))
if (code !== 0) process.exitCode = 2
