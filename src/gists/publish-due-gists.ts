import { findDueGists } from './gist-store.ts'
import { type Publisher, type PublishResult, publishGist } from './publish-gist.lazy.ts'

/** An attempt takes a few requests to GitHub, and Workers limits the requests of an invocation. */
const MAX_GISTS_PER_RUN = 50

export interface PublishingReport {
  published: number
  deleted: number
  refused: number
  postponed: number
  complete: boolean
}

const COUNTER_BY_RESULT = {
  published: 'published',
  deleted: 'deleted',
  refused: 'refused',
  postponed: 'postponed',
  idle: null,
} as const satisfies Record<PublishResult['kind'], keyof PublishingReport | null>

/** One after the other, as GitHub asks. May run twice at once and be interrupted. @throws the first storage fault. */
export async function publishDueGists(publisher: Publisher, budgetMs: number): Promise<PublishingReport> {
  const report: PublishingReport = { published: 0, deleted: 0, refused: 0, postponed: 0, complete: true }
  const end = publisher.clock() + budgetMs
  const faults: unknown[] = []
  const due = await findDueGists(publisher.db, publisher.clock(), MAX_GISTS_PER_RUN)
  report.complete = due.length < MAX_GISTS_PER_RUN
  for (const documentId of due) {
    if (publisher.clock() >= end) {
      report.complete = false
      break
    }
    try {
      const { kind } = await publishGist(publisher, documentId)
      const counter = COUNTER_BY_RESULT[kind]
      if (counter !== null) report[counter] += 1
    } catch (error) {
      faults.push(error)
    }
  }
  if (faults.length > 0) throw faults[0]
  return report
}
