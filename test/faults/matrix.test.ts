import './matrix-row.ts'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { contentCache } from '../../src/documents/content-store.ts'
import { countCalls } from '../support/bindings.ts'
import { listReferencedKeys, listStoredKeys } from '../support/storage/contents.ts'
import { HOUR_MS, runCleanup, setUpFaults } from '../support/storage/faults.ts'
import { startEmpty } from '../support/storage/wipe.ts'
import { FAULT_KINDS, type FaultKind, injectFault } from './fault-kinds.ts'
import type { MatrixCell, MatrixRow } from './matrix-row.ts'
import type { Operation, Outcome } from './operation.ts'
import { ACCOUNTS } from './operations/account.ts'
import { CHANGES } from './operations/change.ts'
import { CREATES } from './operations/create.ts'
import { JOBS } from './operations/jobs.ts'
import { READS } from './operations/read.ts'

const callCounts = new Map<Operation, number>()

/** Returns how many storage calls an operation makes without a fault. Throws if it fails. */
async function countOperationCalls(operation: Operation): Promise<number> {
  const known = callCounts.get(operation)
  if (known !== undefined) return known
  const scene = await operation.arrange()
  contentCache.clear()
  const { bindings, calls } = countCalls(operation.vars)
  const result = await operation.run(scene, bindings)
  const outcome = { kind: result === null ? 'failed' : 'acknowledged', result } as const
  const violations = (await operation.check(scene, outcome)).filter((found) => found !== false)
  if (outcome.kind === 'failed') violations.push('fails without a fault')
  if (violations.length > 0) throw new Error(`${operation.name}: ${violations.join('; ')}`)
  callCounts.set(operation, calls.length)
  return calls.length
}

/** The suite runs every third cell, so that two kinds of fault hit each storage call. */
const SAMPLE = 3

/** Runs an operation once for each of its storage calls, or in the suite for some of them, with a fault in that call. */
async function runRow(operation: Operation, fault: FaultKind): Promise<MatrixRow> {
  const count = await countOperationCalls(operation)
  const cells: MatrixCell[] = []
  const row = FAULT_KINDS.indexOf(fault)
  // The shorter operations have one cell in each row at least.
  const isSampled = (nth: number) =>
    inject('everyFault') || (nth - 1) % Math.min(SAMPLE, count) === row % Math.min(SAMPLE, count)
  for (let nth = 1; nth <= count; nth++) {
    if (!isSampled(nth)) continue
    const cell = await runCell(operation, fault, nth)
    if (cell) cells.push(cell)
    // Cleanup refuses to delete more than a handful of orphaned contents at once.
    if (cells.length % 4 === 0) await cleanUp()
  }
  await cleanUp()
  const violations = await checkContent({ allowOrphans: false })
  return { operation: operation.name, fault, cells, violations }
}

/** Deletes what nobody refers to. The first run may still see content that the second deletes. */
async function cleanUp(): Promise<void> {
  for (const hours of [2, 3]) await runCleanup(env, Date.now() + hours * HOUR_MS)
}

async function runCell(operation: Operation, kind: FaultKind, nth: number): Promise<MatrixCell | null> {
  const scene = await operation.arrange()
  contentCache.clear()
  const fault = injectFault(kind, nth, operation.vars)
  const run = operation
    .run(scene, fault.bindings)
    .then(
      (result): Outcome<unknown> => (result === null ? { kind: 'failed' } : { kind: 'acknowledged', result }),
    )
  const died = fault.death.then((): Outcome<unknown> => ({ kind: 'unanswered' }))
  const violations: string[] = []
  const outcome = await Promise.race([run, died]).catch((error: unknown): Outcome<unknown> => {
    violations.push(String(error))
    return { kind: 'failed' }
  })
  await fault.runDelayed()
  contentCache.clear()
  const found = await operation.check(scene, outcome).catch((error: unknown) => [String(error)])
  for (const violation of found) if (violation !== false) violations.push(violation)
  violations.push(...(await checkContent({ allowOrphans: true })))
  const call = fault.struck()
  // Cleanup makes fewer calls if another run has left it less to do.
  return call && { nth, call, outcome: outcome.kind, violations }
}

/** Checks that every row has its content and, once cleanup has run, that no content is without a row. */
async function checkContent({ allowOrphans }: { allowOrphans: boolean }): Promise<string[]> {
  const stored = await listStoredKeys()
  const referenced = await listReferencedKeys()
  const miscounted = await env.DB.prepare(
    `SELECT documents, bytes FROM usage WHERE account_id = ''
      AND (documents <> (SELECT count(*) FROM documents) OR bytes <>
        (SELECT total(content_bytes) FROM (SELECT content_bytes FROM documents
          UNION ALL SELECT content_bytes FROM revisions)))`,
  ).first()
  const missing = referenced.filter((key) => !stored.includes(key)).length
  const orphaned = stored.filter((key) => !referenced.includes(key)).length
  return [
    ...(missing > 0 ? [`${missing} rows without content`] : []),
    ...(miscounted === null ? [] : [`the usage is wrong: ${JSON.stringify(miscounted)}`]),
    ...(orphaned > 0 && !allowOrphans ? [`${orphaned} orphaned contents`] : []),
  ]
}

setUpFaults()

const OPERATIONS = [...CREATES, ...READS, ...CHANGES, ...ACCOUNTS, ...JOBS].filter(
  ({ isVariant }) => !isVariant || inject('everyFault'),
)

describe.each(OPERATIONS.map((operation) => [operation.name, operation] as const))('%s', (_, operation) => {
  // Cleanup looks at every content that is left.
  beforeAll(startEmpty)

  it.for(FAULT_KINDS)('keeps every promise if any of its storage calls %s', async (fault, { task }) => {
    const row = await runRow(operation, fault)
    task.meta.row = row
    expect(row.cells.length).toBeGreaterThan(0)
    const wrong = row.cells.flatMap(({ nth, call, violations }) =>
      violations.map((violation) => `call ${nth}, ${call}: ${violation}`),
    )
    expect([...wrong, ...row.violations]).toEqual([])
  })
})
