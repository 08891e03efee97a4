import { devNull } from 'node:os'
import { CommandError, runScript, runWrangler } from './support/wrangler.ts'

const HELP = `Generates worker-configuration.d.ts: the types of the Workers runtime and of the bindings in wrangler.toml.

Usage: npm run types
`

async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    process.stdout.write(HELP)
    return
  }
  // Secrets in .dev.vars must not change the types: src/secrets.d.ts declares them as optional.
  const { code, stdout, stderr } = await runWrangler([
    'types',
    '--config',
    'wrangler.toml',
    `--env-file=${devNull}`,
  ])
  if (code !== 0) throw new CommandError(`Couldn't generate types:\n${stdout}${stderr}`)
}

await runScript(main)
