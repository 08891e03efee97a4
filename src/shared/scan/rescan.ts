import type { Replacement } from './redact.ts'
import { type Finding, scanText } from './scan-text.ts'

export interface ScannedText {
  readonly text: string
  readonly findings: readonly Finding[]
}

export const EMPTY: ScannedText = { text: '', findings: [] }

/** The edges of keys in PEM, the only findings that span several lines. */
const EDGE = '-----'
const MAX_KEY = 65_536

const scan = (text: string): ScannedText => ({ text, findings: scanText(text) })

/** Scans the lines that a change touches, and moves the findings after them. */
export function rescan(
  { text: before, findings }: ScannedText,
  { from, to, insert }: Replacement,
): ScannedText {
  const text = before.slice(0, from) + insert + before.slice(to)
  const lineStart = text.lastIndexOf('\n', from - 1) + 1
  const lineBreak = text.indexOf('\n', from + insert.length)
  const lineEnd = lineBreak < 0 ? text.length : lineBreak
  const moved = text.length - before.length
  const oldEnd = lineEnd - moved
  const touchesKey =
    text.slice(lineStart, lineEnd).includes(EDGE) ||
    before.slice(from, to).includes(EDGE) ||
    text.slice(Math.max(0, lineStart - MAX_KEY), lineStart).includes(`${EDGE}BEGIN`) ||
    before.slice(lineStart, Math.min(oldEnd, before.length)).includes(EDGE)
  if (touchesKey) return scan(text)
  return {
    text,
    findings: [
      ...findings.filter((finding) => finding.to <= lineStart),
      ...scanText(text, { from: lineStart, to: lineEnd }),
      ...findings
        .filter((finding) => finding.from >= oldEnd)
        .map((finding) => ({ ...finding, from: finding.from + moved, to: finding.to + moved })),
    ],
  }
}
