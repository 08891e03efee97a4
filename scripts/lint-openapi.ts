import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { parseOptions } from './support/script.ts'
import { CommandError, ROOT, runScript } from './support/wrangler.ts'

const HELP = `Checks the OpenAPI document from the last build with Redocly's strict rules.

Usage: node scripts/lint-openapi.ts
`

const PATH = join(ROOT, 'dist/client/assets/openapi.json')

async function main(): Promise<void> {
  parseOptions(HELP, {})
  const config = await createConfig({
    extends: ['recommended-strict'],
    // GET /v1 never returns a 4xx. test/api/openapi checks that the document lists exactly the possible statuses.
    rules: { 'operation-4xx-response': 'off' },
  })
  const source = await readFile(PATH, 'utf8')
  const problems = await lintFromString({ source, absoluteRef: PATH, config })
  const lines = problems.map(
    ({ severity, ruleId, message, location }) =>
      `${severity} ${ruleId} at ${location[0]?.pointer ?? '?'}: ${message}`,
  )
  if (lines.length > 0) throw new CommandError(lines.join('\n'))
  process.stdout.write('The OpenAPI document has no problems.\n')
}

await runScript(main)
