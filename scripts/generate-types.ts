import { readdir, readFile, writeFile } from 'node:fs/promises'
import { devNull } from 'node:os'
import { join } from 'node:path'
import { updateSchema } from './build/schema.ts'
import { parseOptions } from './support/script.ts'
import { CommandError, ROOT, runScript, runWrangler } from './support/wrangler.ts'

const HELP = `Writes two files that follow from others: worker-configuration.d.ts, the types of the Workers runtime and of the
bindings in wrangler.toml, and schema.sql, what the migrations produce.

Usage: npm run types
`

async function generateTypes(): Promise<void> {
  // Secrets in .dev.vars must not change the types: src/secrets.d.ts declares them as optional.
  const { code, stdout, stderr } = await runWrangler([
    'types',
    '--config',
    'wrangler.toml',
    `--env-file=${devNull}`,
  ])
  if (code !== 0) throw new CommandError(`Couldn't generate types:\n${stdout}${stderr}`)
}

async function generateSchema(): Promise<void> {
  const file = join(ROOT, 'schema.sql')
  const folder = join(ROOT, 'migrations')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const migrations = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  await writeFile(file, updateSchema(await readFile(file, 'utf8'), migrations))
}

async function main(): Promise<void> {
  parseOptions(HELP, {})
  await generateSchema()
  await generateTypes()
}

await runScript(main)
