import { beforeAll, describe, expect, inject, it } from 'vitest'
import './matrix-row.ts'
import { setUpFaults } from '../support/storage/faults.ts'
import { startEmpty } from '../support/storage/wipe.ts'
import { FAULT_KINDS } from './fault-kinds.ts'
import { ACCOUNTS } from './operations/account.ts'
import { CHANGES } from './operations/change.ts'
import { CREATES } from './operations/create.ts'
import { JOBS } from './operations/jobs.ts'
import { READS } from './operations/read.ts'
import { runRow } from './run-matrix.ts'

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
