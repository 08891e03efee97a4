import { formatCount } from '../format.ts'
import { formatCode } from '../hidden-characters.ts'
import type { FileChange } from './compare-files.ts'
import type {
  ChangedBlock,
  ComparedBlock,
  Comparison,
  ComparisonResult,
  LineCounts,
  ShownLine,
  UnchangedLine,
} from './compare-texts.ts'
import type { Part } from './compare-words.ts'

/**
 * Characters that would make a change invisible. Joiners and variation selectors aren't among them: emoji and many
 * scripts need them.
 */
const HIDDEN = new RegExp(
  [
    String.raw`[\x00-\x08\x0B-\x1F\x7F-\x9F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B\u200E\u200F]`,
    String.raw`[\u2028-\u202E\u2060-\u206F\u2800\u3164\uFEFF\uFFA0\uFFF0-\uFFFB\u{1D173}-\u{1D17A}\u{E0000}-\u{E00FF}]`,
  ].join('|'),
  'gu',
)

interface VisiblePart {
  readonly text: string
  readonly isCode: boolean
}

function showHiddenCharacters(text: string): VisiblePart[] {
  const parts: VisiblePart[] = []
  let at = 0
  for (const { 0: character, index } of text.matchAll(HIDDEN)) {
    if (index > at) parts.push({ text: text.slice(at, index), isCode: false })
    parts.push({ text: formatCode(character), isCode: true })
    at = index + character.length
  }
  if (at < text.length) parts.push({ text: text.slice(at), isCode: false })
  return parts
}

/** The Worker writes it as HTML, and scripts create it: no text in it is ever markup. */
interface MarkupElement {
  readonly tag: 'div' | 'p' | 'span' | 'del' | 'ins' | 'details' | 'summary' | 'h2'
  readonly class?: string
  readonly hidden?: true
  readonly children: readonly Markup[]
}

export type Markup = MarkupElement | string

const element = (
  tag: MarkupElement['tag'],
  className: string | null,
  ...children: readonly Markup[]
): MarkupElement => ({ tag, ...(className !== null && { class: className }), children })

/** Screen readers read it in place of signs and colours. */
const spoken = (text: string) => element('span', 'visually-hidden', text)

const silent = (className: string, text: string): MarkupElement => ({
  ...element('span', className, text),
  hidden: true,
})

const renderNumber = (text: string): MarkupElement => ({
  ...silent('line-number', text),
  children: text === '' ? [] : [text],
})

function renderPart({ text, changed, omitted }: Part, mark: 'del' | 'ins' | null): Markup[] {
  if (omitted !== undefined) return [element('span', 'omitted', `… ${formatCount(omitted, 'character')} …`)]
  const visible = showHiddenCharacters(text).map(({ text, isCode }) =>
    isCode ? element('span', 'character-code', text) : text,
  )
  return changed && mark !== null ? [element(mark, null, ...visible)] : visible
}

const renderParts = (parts: readonly Part[], mark: 'del' | 'ins' | null): MarkupElement =>
  element('span', 'line-text', ...parts.flatMap((part) => renderPart(part, mark)))

const SIDES = {
  removed: { sign: '−', name: 'Removed', mark: 'del' },
  added: { sign: '+', name: 'Added', mark: 'ins' },
} as const

function renderChangedLine(
  { number, parts, lacksLineBreak }: ShownLine,
  kind: 'removed' | 'added',
): MarkupElement {
  const { sign, name, mark } = SIDES[kind]
  const numbers = [String(number), ''].map(renderNumber)
  const { children, ...text } = renderParts(parts, mark)
  const note = lacksLineBreak ? [element('span', 'omitted', 'no line break at the end')] : []
  return element(
    'div',
    `line ${kind}`,
    spoken(`${name}, line ${number}: `),
    ...(kind === 'removed' ? numbers : numbers.toReversed()),
    silent('sign', sign),
    { ...text, children: [...children, ...note] },
  )
}

/** An unchanged line is in both columns. Screen readers get it once. */
const renderUnchangedLine = ({ oldNumber, newNumber, parts }: UnchangedLine): MarkupElement[] => {
  const text = renderParts(parts, null)
  return [
    element(
      'div',
      'line both',
      spoken(`Line ${newNumber}: `),
      renderNumber(String(oldNumber)),
      renderNumber(String(newNumber)),
      silent('sign', ' '),
      text,
    ),
    {
      ...element('div', 'line again', renderNumber(String(newNumber)), silent('sign', ' '), text),
      hidden: true,
    },
  ]
}

const renderChanged = ({ removed, added }: ChangedBlock): MarkupElement =>
  element(
    'div',
    'block',
    ...removed.map((line) => renderChangedLine(line, 'removed')),
    ...added.map((line) => renderChangedLine(line, 'added')),
  )

const renderUnchanged = (lines: readonly UnchangedLine[]): MarkupElement =>
  element('div', 'block', ...lines.flatMap(renderUnchangedLine))

function renderBlock(block: ComparedBlock): MarkupElement {
  switch (block.kind) {
    case 'changed':
      return renderChanged(block)
    case 'unchanged':
      return renderUnchanged(block.lines)
    case 'folded': {
      const label = formatCount(block.count, 'unchanged line')
      return block.lines.length === 0
        ? element('div', 'fold', label)
        : element('details', 'fold', element('summary', null, label), renderUnchanged(block.lines))
    }
    case 'omitted': {
      const { removed, added } = block
      const counts = [
        ...(removed > 0 ? [`${formatCount(removed, 'removed line')}`] : []),
        ...(added > 0 ? [`${formatCount(added, 'added line')}`] : []),
      ]
      return element('div', 'fold', `${counts.join(' and ')} not shown`)
    }
    default:
      throw new TypeError(`Unknown block: ${JSON.stringify(block satisfies never)}`)
  }
}

export function formatCounts({ added, removed }: LineCounts): string {
  const parts = [
    ...(added > 0 ? [`${formatCount(added, 'line')} added`] : []),
    ...(removed > 0 ? [`${formatCount(removed, 'line')} removed`] : []),
  ]
  return parts.join(', ')
}

const MAX_SHORT_NUMBER = 9_999

/** A column of numbers is wider if one of them has more than four digits. */
const isLong = ({ blocks }: Comparison): boolean =>
  blocks.some((block) => {
    if (block.kind === 'omitted') return false
    if (block.kind !== 'changed')
      return block.lines.some((line) => Math.max(line.oldNumber, line.newNumber) > MAX_SHORT_NUMBER)
    return [...block.removed, ...block.added].some(({ number }) => number > MAX_SHORT_NUMBER)
  })

const NOT_COMPARED: Readonly<Record<Exclude<ComparisonResult, Comparison>, string>> = {
  same: 'Both versions have the same text.',
  'too-long': 'There are too many lines to compare.',
  'too-different': 'The texts are too different to compare.',
}

/** The message for versions that differ in the order of their files only. */
export const SAME_FILES = 'Both versions have the same files, in another order.'

/** One of several files: its name, and what changed in it. */
export const renderFileChange = ({ name, what, result }: FileChange): MarkupElement[] => [
  element('h2', 'changed-file', name, ...(what === null ? [] : [' ', element('span', 'quiet-text', what)])),
  ...(result === null ? [] : renderResult(result)),
]

/** The stylesheet shows one column or two. */
export function renderResult(result: ComparisonResult): MarkupElement[] {
  if (typeof result === 'string') return [element('p', 'quiet-text', NOT_COMPARED[result])]
  return [
    element('p', 'quiet-text', formatCounts(result)),
    element('div', isLong(result) ? 'comparison long' : 'comparison', ...result.blocks.map(renderBlock)),
  ]
}
