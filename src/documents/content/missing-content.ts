import type { DocumentStorage } from '../document-store.ts'
import { generateId } from '../model/ids.ts'
import { findContentSample, recordMissingContents } from '../sql/cleanup/missing-contents.ts'
import type { Budget } from './cleanup-budget.ts'
import { ARRIVAL_MS, CONTENT_MARGIN_MS } from './content-store.ts'

/**
 * How many documents and revisions a run looks for. With a run every five minutes, that is 7,200 of KV's reads a day; the
 * free plan includes 100,000. If one document in a thousand has lost its content, a day finds that.
 */
const SAMPLE_SIZE = { documents: 20, revisions: 5 }
/** How much missing content is remembered, and looked for in every run. More would say nothing new. */
const MAX_REMEMBERED = 50

interface Search {
  readonly store: DocumentStorage
  /** Milliseconds since 1970. */
  readonly now: number
  readonly budget: Budget
}

/**
 * Looks in KV for the content of a random sample of documents and revisions, and for all content that earlier runs have
 * missed. What is missing stays recorded until it's back or nothing refers to it any more, so that a single document
 * out of many is noticed once and for all, not only in the runs that happen to look at it.
 *
 * @returns how much content is known to be missing; null if there was no time.
 */
export async function findMissingContent({ store, now, budget }: Search): Promise<number | null> {
  const sample = await findContentSample(store.db, generateId('standard'), SAMPLE_SIZE)
  const settled = [...sample.documents, ...sample.revisions].filter(
    // KV may not show younger content everywhere yet, and may already have deleted what is about to expire.
    ({ storedAt, contentUntil }) => storedAt <= now - ARRIVAL_MS && contentUntil > now + CONTENT_MARGIN_MS,
  )
  const knownKeys = new Set(sample.known.map(({ key }) => key))
  const contents = [...sample.known, ...settled.filter(({ key }) => !knownKeys.has(key))]
  if (!budget.take(contents.length)) return null
  const found = await Promise.all(contents.map(({ key }) => store.contents.has(key)))
  const missing = contents.filter((_, index) => !found[index]).slice(0, MAX_REMEMBERED)
  if (missing.length === 0 && sample.known.length === 0) return 0
  const present = contents.filter((_, index) => found[index]).map(({ key }) => key)
  return recordMissingContents(store.db, { present, missing }, now)
}
