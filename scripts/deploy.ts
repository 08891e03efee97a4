import { applySchema } from './database.ts'
import { CommandError, runScript, startWrangler } from './wrangler.ts'

const HELP = `Makes the tables that the deployed database lacks, and deploys the Worker.

Usage: npm run deploy -- [options of "wrangler deploy"]

The first deployment creates the database and the KV namespace.
`

const DEPLOYED = { remote: true, persistTo: null } as const

/** False for a database that is still to be made; any other fault is thrown on. */
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
  // The new Worker finds its tables, unless this is the first deployment, which makes the database.
  const exists = dryRun || (await applySchema(DEPLOYED).then(() => true, isMissingDatabase))
  const code = await new Promise<number>((done) =>
    startWrangler(['deploy', ...args]).once('exit', (code) => done(code ?? 1)),
  )
  if (code !== 0) throw new CommandError('wrangler did not deploy; what it said stands above.')
  if (!exists) await applySchema(DEPLOYED)
}

await runScript(main)
