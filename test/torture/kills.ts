import { parseOptions } from '../../scripts/support/script.ts'
import { KILL_OPERATIONS, type KillOperation } from './kill-operations.ts'
import { type Kill, KillableService } from './killable-service.ts'

interface KillReport {
  readonly kills: number
  readonly violations: readonly string[]
}

interface KillOptions {
  readonly print: (line: string) => void
  /** Chooses some of the kills; all without it. */
  readonly choose?: (operation: string, kill: Kill) => boolean
}

/** Checks that every row has its content and, after cleanup, that no content is without a row. */
async function checkContent(service: KillableService, { allowOrphans }: { allowOrphans: boolean }) {
  const { stored, referenced } = (await (await service.send('/faults/state')).json()) as {
    stored: string[]
    referenced: string[]
  }
  const missing = referenced.filter((key) => !stored.includes(key)).length
  const orphaned = stored.filter((key) => !referenced.includes(key)).length
  return [
    missing > 0 && `${missing} rows without content`,
    !allowOrphans && orphaned > 0 && `${orphaned} orphaned contents`,
  ]
}

/** Runs an operation and kills the process once. Returns the promises that it broke. */
async function killOnce(service: KillableService, prepare: KillOperation, kill: Kill): Promise<string[]> {
  const { path, init, check } = await prepare(service)
  const answer = await service.sendAndKill(path, init, kill)
  const wrong = [...(await check(answer)), ...(await checkContent(service, { allowOrphans: true }))]
  return wrong.filter((found) => found !== false)
}

/** Kills the service in every operation, and prints a line for each. */
export async function runKills({ print, choose = () => true }: KillOptions): Promise<KillReport> {
  const service = await KillableService.start()
  const violations: string[] = []
  try {
    for (const [name, prepare] of Object.entries(KILL_OPERATIONS)) {
      const { path, init } = await prepare(service)
      const count = await service.countCalls(path, init)
      const marks: string[] = []
      for (let nth = 1; nth <= count; nth++) {
        let mark = ''
        for (const moment of ['before', 'after'] as const) {
          if (!choose(name, { nth, moment })) continue
          const wrong = await killOnce(service, prepare, { nth, moment })
          mark += wrong.length === 0 ? '✓' : '✗'
          violations.push(...wrong.map((text) => `${name}, killed ${moment} call ${nth}: ${text}`))
        }
        if (mark !== '') marks.push(mark)
      }
      if (marks.length > 0) print(`${name.padEnd(30)}${marks.join(' ')}`)
    }
    for (const hours of [2, 3]) await service.send(`/faults/cleanup?hours=${hours}`, { method: 'POST' })
    const left = (await checkContent(service, { allowOrphans: false })).filter((found) => found !== false)
    violations.push(...left.map((text) => `after cleanup: ${text}`))
    return { kills: service.kills, violations }
  } finally {
    await service.stop()
  }
}

const HELP = `Kills the process of the service (SIGKILL) before and after each storage call of each operation, starts it again
on the same storage, and checks that every promise was kept. Takes several minutes.

Usage: npm run torture -- kills [--help]

Each line is an operation: for each of its storage calls, "✓✓" if all was well after a kill before it and after it.
✗ is explained at the end, and the exit code is 1.
`

/** Runs the command. */
export async function kills(): Promise<void> {
  parseOptions(HELP, {})
  const { kills, violations } = await runKills({ print: console.log })
  console.log(`\n${kills} kills, ${violations.length} violations`)
  for (const violation of violations) console.log(`✗ ${violation}`)
  if (violations.length > 0) process.exitCode = 1
}
