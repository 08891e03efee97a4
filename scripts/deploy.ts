import { applySchema } from './database.ts'
import { CommandError, runScript, startWrangler } from './wrangler.ts'

const HELP = `Deploys the Worker and brings the deployed database's tables up to date.

Usage: npm run deploy -- [options of "wrangler deploy"]

The first deployment creates the database and the KV namespace.
`

const DEPLOYED = { remote: true, persistTo: null } as const

async function main(): Promise<void> {
  const args = process.argv.slice(2)
  if (args.includes('--help')) {
    process.stdout.write(HELP)
    return
  }
  const dryRun = args.includes('--dry-run')
  // The new Worker finds its tables, unless this is the first deployment, which makes the database.
  const prepared =
    dryRun ||
    (await applySchema(DEPLOYED).then(
      () => true,
      () => false,
    ))
  const code = await new Promise<number>((done) =>
    startWrangler(['deploy', ...args]).once('exit', (code) => done(code ?? 1)),
  )
  if (code !== 0) throw new CommandError('wrangler did not deploy; what it said stands above.')
  if (!prepared) await applySchema(DEPLOYED)
}

await runScript(main)
