import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { EXCEPTIONS, findException } from './regular-expressions/exceptions.ts'
import { findPatterns } from './regular-expressions/find.ts'
import { findSlowness } from './regular-expressions/slowness.ts'
import { CommandError, ROOT, runScript } from './support/wrangler.ts'

const HELP = `Checks that no regular expression of the service, the site's scripts and the command line takes longer
than linear time, whatever the text. scripts/regular-expressions/exceptions.ts lists the exceptions.

Usage: node scripts/lint-regular-expressions.ts
`

const SOURCES = ['src/**/*.ts', 'src/**/*.tsx', 'cli/src/**/*.ts']

async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    process.stdout.write(HELP)
    return
  }
  const problems: string[] = []
  const used = new Set<object>()
  let checked = 0
  for await (const path of glob(SOURCES, { cwd: ROOT })) {
    const { known, unknown } = await findPatterns(path, join(ROOT, path))
    checked += known.length
    const found = [
      ...known.flatMap((pattern) => findSlowness(pattern) ?? []),
      ...unknown.map((at) => `${at}: a function creates a regular expression that this check can't know`),
    ]
    const exception = findException(path)
    if (exception && found.length > 0) used.add(exception)
    else problems.push(...found)
  }
  for (const exception of EXCEPTIONS) {
    if (!used.has(exception)) problems.push(`exceptions.ts: ${exception.path} is no longer needed`)
  }
  if (problems.length > 0) throw new CommandError(problems.join('\n'))
  process.stdout.write(
    `All ${checked} regular expressions take linear time, except those in exceptions.ts.\n`,
  )
}

await runScript(main)
