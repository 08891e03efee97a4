import { findDueGists } from './gist-statements.ts'
import { type Published, publishGist } from './publish-gist.ts'
import type { Publisher } from './sync-gist.ts'

/** Gists that one run works on. An attempt asks GitHub a few times, and an invocation may ask so often. */
const MOST_A_RUN = 50

/** What one run did. */
export interface PublishingReport {
  published: number
  withdrawn: number
  refused: number
  postponed: number
  /** Whether neither time nor calls ran out. */
  complete: boolean
}

const COUNTED = {
  published: 'published',
  withdrawn: 'withdrawn',
  refused: 'refused',
  postponed: 'postponed',
  idle: null,
} as const satisfies Record<Published['kind'], keyof PublishingReport | null>

/**
 * Works on the gists that are due, one after the other, as GitHub asks of its clients. It may run twice at
 * once and be cut off anywhere. A gist that fails does not keep the others from being worked on.
 *
 * @param budgetMs milliseconds after which no further gist is begun.
 * @throws the first fault of storage, after all gists.
 */
export async function publishDue(publisher: Publisher, budgetMs: number): Promise<PublishingReport> {
  const report: PublishingReport = { published: 0, withdrawn: 0, refused: 0, postponed: 0, complete: true }
  const end = publisher.clock() + budgetMs
  const faults: unknown[] = []
  const due = await findDueGists(publisher.db, publisher.clock(), MOST_A_RUN)
  report.complete = due.length < MOST_A_RUN
  for (const documentId of due) {
    if (publisher.clock() >= end) {
      report.complete = false
      break
    }
    try {
      const { kind } = await publishGist(publisher, documentId)
      const counted = COUNTED[kind]
      if (counted !== null) report[counted] += 1
    } catch (error) {
      faults.push(error)
    }
  }
  if (faults.length > 0) throw faults[0]
  return report
}
