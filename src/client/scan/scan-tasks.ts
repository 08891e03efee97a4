import {
  createRedactor,
  type FoundValue,
  groupByValue,
  maskValue,
  type Replacement,
} from '../../shared/scan/redact.ts'
import { EMPTY, rescan, type ScannedText } from '../../shared/scan/rescan.ts'

/** The facts about a found value that pages get. */
export interface ShownValue extends Pick<FoundValue, 'type' | 'detail'> {
  /** The same in every file and after every change. */
  readonly id: number
  readonly masked: string
  readonly count: number
  /** The first line where it stands, from 1. */
  readonly line: number
  readonly from: number
  readonly to: number
}

/** The files, by numbers that the page gives them. */
const files = new Map<number, ScannedText>()
const ids = new Map<string, number>()
const redactor = createRedactor()

function getId({ type, value }: Pick<FoundValue, 'type' | 'value'>): number {
  const key = `${type} ${value}`
  const id = ids.get(key) ?? ids.size
  ids.set(key, id)
  return id
}

/** Scans what a change touches. A file starts empty. */
export function scanChange({
  file,
  change,
}: {
  readonly file: number
  readonly change: Replacement
}): ShownValue[] {
  const scanned = rescan(files.get(file) ?? EMPTY, change)
  files.set(file, scanned)
  let line = 1
  let counted = 0
  return groupByValue(scanned.text, scanned.findings).map((found) => {
    const { from = 0, to = 0 } = found.findings[0] ?? {}
    for (
      let at = scanned.text.indexOf('\n', counted);
      at >= 0 && at < from;
      at = scanned.text.indexOf('\n', at + 1)
    )
      line++
    counted = from
    const { type, detail } = found
    return {
      id: getId(found),
      type,
      detail,
      masked: maskValue(found),
      count: found.findings.length,
      line,
      from,
      to,
    }
  })
}

/** Returns what takes the place of values in a file, as it was scanned last. */
export function redactValues({
  file,
  values,
}: {
  readonly file: number
  readonly values: readonly number[]
}): Replacement[] {
  const { text, findings } = files.get(file) ?? EMPTY
  const wanted = new Set(values)
  return redactor(
    text,
    findings.filter(({ type, from, to }) => wanted.has(getId({ type, value: text.slice(from, to) }))),
  )
}
