import { createVitest, type TestCase } from 'vitest/node'
import { parseOptions } from '../../scripts/support/script.ts'
import type { MatrixRow } from '../faults/matrix-row.ts'

const HELP = `Runs every operation once for each of its storage calls and each kind of fault, and prints the matrix.

Usage: npm run torture -- faults [--help]

Each line is one storage call. For each fault, it says what the client got: "ok" (acknowledged), "5xx" (an error that
leaves the outcome open), or "-" (no answer: the process died). ✓ means that every promise was kept: what was
acknowledged is there, everything else happened as a whole or not at all, every row has its content, a burn was
delivered at most once, and cleanup left no content without a row. ✗ is explained at the end, and the exit code is 1.

For faults that kill the real process, see: npm run torture -- kills --help
`

const MATRIX = 'test/faults/matrix.test.ts'
/** Tests that interrupt backup, restore and recovery. They print nothing in the matrix. */
const INTERRUPTIONS = ['test/backup/recover.test.ts', 'test/backup/restore.test.ts']

const LABELS = { acknowledged: 'ok', failed: '5xx', unanswered: '-' } as const

async function runMatrix(): Promise<MatrixRow[]> {
  const vitest = await createVitest('test', { watch: false, project: ['worker'], reporters: [{}] })
  vitest.provide('everyFault', true)
  const { testModules } = await vitest.start([MATRIX, ...INTERRUPTIONS])
  const allTests = testModules.flatMap((module) => [...module.children.allTests()])
  const isInMatrix = ({ module }: TestCase) => module.moduleId.endsWith(MATRIX)
  const tests = allTests.filter(isInMatrix)
  const others = allTests.filter((test) => !isInMatrix(test) && test.result().state !== 'passed')
  for (const test of others) console.error(test.fullName, test.result().state)
  for (const error of testModules.flatMap((module) => module.errors())) console.error(error.message)
  for (const test of tests) {
    const result = test.result()
    if (test.meta().row === undefined && result.state === 'failed') {
      console.error(test.fullName, result.errors.map(({ message }) => message).join('\n'))
    }
  }
  const rows = tests.flatMap((test) => test.meta().row ?? [])
  const complete = others.length === 0 && tests.length > 0 && rows.length === tests.length
  await vitest.close()
  if (!complete)
    throw new Error(`${tests.length - rows.length + others.length} of ${allTests.length} tests failed`)
  return rows
}

/** Returns one line per storage call of an operation, and one for what cleanup left. */
function formatOperation(rows: readonly MatrixRow[], widths: readonly number[]): string[] {
  const mark = (violations: readonly string[]) => (violations.length === 0 ? '✓' : '✗')
  const line = (first: string, cells: readonly string[]) =>
    `  ${first.padEnd(22)}${cells.map((cell, index) => cell.padEnd((widths[index] ?? 0) + 2)).join('')}`.trimEnd()
  const calls = Math.max(...rows.map(({ cells }) => cells.length))
  const lines = Array.from({ length: calls }, (_, index) => {
    const cells = rows.map(({ cells }) => cells[index])
    const call = cells.find((cell) => cell)?.call ?? ''
    return line(
      `${index + 1} ${call}`,
      cells.map((cell) => (cell ? `${mark(cell.violations)} ${LABELS[cell.outcome]}` : '')),
    )
  })
  return [
    rows[0]?.operation ?? '',
    ...lines,
    line(
      'after cleanup',
      rows.map(({ violations }) => mark(violations)),
    ),
  ]
}

function printMatrix(rows: readonly MatrixRow[]): boolean {
  const faults = [...new Set(rows.map(({ fault }) => fault))]
  const widths = faults.map((fault) => fault.length)
  console.log(`${' '.repeat(24)}${faults.map((fault) => fault.padEnd(fault.length + 2)).join('')}`.trimEnd())
  for (const [, ofOperation] of Map.groupBy(rows, ({ operation }) => operation)) {
    console.log(formatOperation(ofOperation, widths).join('\n'))
  }
  const violations = rows.flatMap(({ operation, fault, cells, violations: left }) => [
    ...cells.flatMap((cell, index) =>
      cell.violations.map((text) => `${operation}, call ${index + 1} (${cell.call}) ${fault}: ${text}`),
    ),
    ...left.map((text) => `${operation}, ${fault}, after cleanup: ${text}`),
  ])
  const runs = rows.reduce((sum, { cells }) => sum + cells.length, 0)
  const operations = new Set(rows.map(({ operation }) => operation)).size
  console.log(
    `\n${operations} operations, ${faults.length} faults, ${runs} runs with a fault, ${violations.length} violations`,
  )
  for (const violation of violations) console.log(`✗ ${violation}`)
  return violations.length === 0
}

export async function faults(): Promise<void> {
  parseOptions(HELP, {})
  const startedAt = Date.now()
  const kept = printMatrix(await runMatrix())
  console.log(`${((Date.now() - startedAt) / 1_000).toFixed(0)} s`)
  process.exitCode = kept ? 0 : 1
}
