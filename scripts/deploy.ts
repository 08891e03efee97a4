import { applyMigrations } from './database.ts'
import { CommandError, runScript, startWrangler } from './wrangler.ts'

const HELP = `Upgrades the deployed database, then deploys the Worker.

Usage: npm run deploy -- [options of "wrangler deploy"]

The first deployment creates the database and the KV namespace. With --dry-run, nothing is changed.
`

const DEPLOYED = { remote: true, persistTo: null } as const

/** Returns false if the error says that the database doesn't exist yet, and throws any other error. */
function isMissingDatabase(error: unknown): false {
  if (error instanceof CommandError && /couldn't find .*D1 DB/i.test(error.message)) return false
  throw error
}

async function main(): Promise<void> {
  const args = process.argv.slice(2)
  if (args.includes('--help')) {
    process.stdout.write(HELP)
    return
  }
  const dryRun = args.includes('--dry-run')
  // Migrations come first: the old code works with them, and the new code needs them. Only the first
  // deployment applies them afterwards, because it creates the database.
  const migrated = dryRun || (await applyMigrations(DEPLOYED).then(() => true, isMissingDatabase))
  const code = await new Promise<number>((done) =>
    startWrangler(['deploy', ...args]).once('exit', (code) => done(code ?? 1)),
  )
  if (code !== 0) throw new CommandError("The deployment failed. See wrangler's output above.")
  if (!migrated) await applyMigrations(DEPLOYED)
}

await runScript(main)
