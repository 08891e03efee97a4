import type { HonoRequest } from 'hono'
import type { Document } from '../documents/document.ts'
import { entityTag } from './answers.ts'

/** The first byte and the last, counted from 0. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

const toSeconds = (ms: number): number => Math.floor(ms / 1000)

/** A change in the same second, or one that a remembered row doesn't show yet, would have the same date. */
const SETTLED_SECONDS = 3

/** A text that has just changed has no date, so that no date stands for two texts. */
export const formatLastModified = ({ updatedAt }: Document, now: number): { 'Last-Modified'?: string } =>
  toSeconds(now) - toSeconds(updatedAt) < SETTLED_SECONDS
    ? {}
    : { 'Last-Modified': new Date(updatedAt).toUTCString() }

/** Checks `If-Modified-Since` (RFC 9110 §13.1.3). A date that can't be read is ignored. */
export const isUnmodified = (since: string | undefined, { updatedAt }: Document): boolean =>
  since !== undefined && toSeconds(Date.parse(since)) >= toSeconds(updatedAt)

/** `If-Range` (RFC 9110 §13.1.5): who has the start of another version wants all of this one. */
function hasStart(ifRange: string | undefined, document: Document): boolean {
  if (ifRange === undefined) return true
  if (ifRange.startsWith('"')) return ifRange === entityTag(document, 'raw')
  return toSeconds(Date.parse(ifRange)) === toSeconds(document.updatedAt)
}

/**
 * Returns null for all of the text: where no range is asked for, or several are, which servers may ignore, or one of another
 * version.
 */
export function parseRange(request: HonoRequest, document: Document): ByteRange | 'unsatisfiable' | null {
  if (request.method !== 'GET') return null
  const [, first = '', last = ''] =
    /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(request.header('Range') ?? '') ?? []
  if (first === '' && last === '') return null
  if (!hasStart(request.header('If-Range'), document)) return null
  const end = document.contentBytes - 1
  // No range fits an empty text, so the answer is the whole text.
  if (first === '' && end < 0) return null
  if (first === '')
    return last === '0' ? 'unsatisfiable' : { from: Math.max(0, end + 1 - Number(last)), to: end }
  const range = { from: Number(first), to: last === '' ? end : Math.min(Number(last), end) }
  if (range.from > end) return 'unsatisfiable'
  return last !== '' && Number(last) < range.from ? null : range
}
