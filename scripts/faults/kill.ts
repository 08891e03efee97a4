import { runScript } from '../support/wrangler.ts'
import { runKills } from './run-kills.ts'

const HELP = `Kills the process of the service (SIGKILL) before and after each storage call of each operation, starts it again
on the same storage, and checks that every promise was kept. Takes several minutes.

Usage: npm run faults:kill [-- --help]

Each line is an operation: for each of its storage calls, "✓✓" if all was well after a kill before it and after it.
✗ is explained at the end, and the exit code is 1.
`

await runScript(async () => {
  if (process.argv.includes('--help')) {
    process.stdout.write(HELP)
    return
  }
  const { kills, violations } = await runKills({ print: console.log })
  console.log(`\n${kills} kills, ${violations.length} violations`)
  for (const violation of violations) console.log(`✗ ${violation}`)
  if (violations.length > 0) process.exitCode = 1
})
