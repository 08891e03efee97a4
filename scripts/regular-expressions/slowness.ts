import { isSafe } from 'redos-detector'
import { analyse } from 'scslre'
import type { Pattern } from './find.ts'

/** Matches a group that repeats. Its alternatives may match the same text in many ways, which scslre doesn't look for. */
const REPEATED_GROUP = /\)(?:[*+]|\{\d+,\})/

/** A pattern that takes longer than linear time has an infinite score. */
const OPTIONS = { maxScore: Number.POSITIVE_INFINITY, timeout: 1_000 }

/** Describes how a regular expression can take longer than linear time. Returns null if it can't. */
export function findSlowness({ at, source, flags }: Pattern): string | null {
  const { reports } = analyse({ source, flags }, { maxReports: 1, reportTypes: { Move: true } })
  const [report] = reports
  const text = report ? ` for a text that repeats ${JSON.stringify(report.character.pick)}` : ''
  const slow =
    report !== undefined || (REPEATED_GROUP.test(source) && !isSafe(new RegExp(source, flags), OPTIONS).safe)
  return slow ? `${at}: /${source}/${flags} can take more than linear time${text}` : null
}
