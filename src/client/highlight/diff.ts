import { pairLines } from '../../shared/compare/compare-texts.ts'
import type { Part } from '../../shared/compare/compare-words.ts'
import { WorkLimit } from '../../shared/compare/diff-tokens.ts'
import { MARKED_WORDS, parseDiff } from '../../shared/compare/parse-diff.ts'
import { CODE_STYLES, type Tokens } from './tokens.ts'

type ParsedLine = ReturnType<typeof parseDiff> extends Generator<infer Line> ? Line : never

const WORD_STEPS = 4_000_000

const style = (name: (typeof CODE_STYLES)[number]) => CODE_STYLES.indexOf(name)

/** Styles the words that changed between removed lines and the added lines right after them. */
export function getDiffTokens(text: string): Tokens {
  const tokens: number[] = []
  const work = new WorkLimit(WORD_STEPS)
  let removed: ParsedLine[] = []
  let added: ParsedLine[] = []
  const addWords = (line: ParsedLine, parts: readonly Part[], index: number) => {
    let at = line.start + line.prefix
    for (const part of parts) {
      if (part.changed) tokens.push(at, at + part.text.length, index)
      at += part.text.length
    }
  }
  const addBlock = () => {
    const read = ({ start, end, prefix }: ParsedLine) => text.slice(start + prefix, end)
    const pairs =
      removed.length > 0 && added.length > 0 ? pairLines(removed.map(read), added.map(read), work) : []
    for (const [lines, side, index] of [
      [removed, 'old', style('diff-removed')],
      [added, 'current', style('diff-added')],
    ] as const) {
      for (const pair of pairs) {
        const line = lines[pair[side] ?? -1]
        if (line && pair.marked) addWords(line, pair.marked[side], index)
      }
    }
    removed = []
    added = []
  }
  const addMarkedWords = ({ start, end }: ParsedLine) => {
    for (const match of text.slice(start, end).matchAll(MARKED_WORDS)) {
      const from = start + match.index
      tokens.push(from, from + match[0].length, style(match[1] === undefined ? 'diff-added' : 'diff-removed'))
    }
  }
  for (const line of parseDiff(text)) {
    if (line.kind === 'note') continue
    if (line.kind !== 'added' && (line.kind !== 'removed' || added.length > 0)) addBlock()
    if (line.kind === 'removed') removed.push(line)
    else if (line.kind === 'added') added.push(line)
    else if (line.kind === 'hunk') tokens.push(line.start, line.end, style('tok-meta'))
    else if (line.kind === 'file') tokens.push(line.start, line.end, style('tok-heading'))
    else if (line.isMarked) addMarkedWords(line)
  }
  addBlock()
  return new Uint32Array(tokens)
}
