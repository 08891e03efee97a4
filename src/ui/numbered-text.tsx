import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import type { Document } from '../documents/document.ts'
import { escapeInBytes, SLICE_CHARACTERS, splitSlices } from '../platform/streaming.ts'
import {
  type Display,
  getDisplayClasses,
  isWrapped,
  LONG_SOURCE_BYTES,
  MAX_RENDERED,
} from '../shared/display.ts'
import { isDrawing } from '../shared/drawings.ts'
import { VERBATIM_TEXT_CHARACTERS } from '../shared/escape.ts'
import { findLanguage } from '../shared/languages.ts'
import {
  formatLineNumbers,
  getNumbersClasses,
  getTextClasses,
  isNumbered,
  splitChunk,
  splitText,
  type TextChunks,
} from '../shared/lines.ts'
import { LONG_TEXT_STYLES, MARKDOWN_STYLES, SCRIPTS, VIEW_STYLES } from './assets.generated.ts'
import { SlicedText } from './page.tsx'

/** How the address of a page asks to see its text. */
export interface AskedView {
  /** The language of the extension, such as in `abc12345.py`. */
  readonly language: string | null
  /** It asks for the source of what could start as another view. */
  readonly asSource: boolean
}

/** The name of the language that the page shows. A document may have an alias, such as `md`. */
export const getShownLanguage = (document: Document, { language }: AskedView): string =>
  language ?? findLanguage(document.language)?.name ?? document.language

/** Tells whether the page starts as a terminal shows it. The log view reads escape sequences itself. */
export const startsAsTerminal = (
  document: Document,
  view: AskedView,
  text: { readonly hasEscapes: boolean },
): boolean => text.hasEscapes && getShownLanguage(document, view) !== 'log' && !view.asSource

const startsAs = (language: string) => (document: Document, view: AskedView) =>
  getShownLanguage(document, view) === language && document.contentBytes <= MAX_RENDERED && !view.asSource

/** Tells whether the page starts with rendered Markdown. A script goes on from there if the address links to a line. */
export const startsRendered = startsAs('markdown')

/** Tells whether the page starts with a diagram, which a script draws. */
export const startsDrawn = startsAs('mermaid')

/** `csv` or `tsv` if the page starts with a table. */
export function findTableLanguage(document: Document, view: AskedView): 'csv' | 'tsv' | null {
  const name = getShownLanguage(document, view)
  return (name === 'csv' || name === 'tsv') && !view.asSource ? name : null
}

/** Tells the styles how the source waits while scripts render it. */
export const getWaiting = ({ contentBytes }: Document): string =>
  contentBytes > LONG_SOURCE_BYTES ? 'long' : ''

/**
 * Loads the styles of a long text right before it. Browsers read the text only once they have them: an event before that,
 * such as a moving pointer, would make them lay out the whole text without styles, which can take seconds.
 */
export const LongTextStyles = () => <link rel="stylesheet" href={LONG_TEXT_STYLES} />

const escapeLong = escapeInBytes(VERBATIM_TEXT_CHARACTERS)

const writeSegment = (text: string) => `<span class="segment">${escapeLong(text)}</span>`

function* writeParts(text: string, chunks: TextChunks): Generator<string> {
  for (const chunk of splitText(text, chunks)) {
    yield `<span class="${chunk.className}">`
    for (const part of splitChunk(chunk.text)) {
      if ('text' in part) for (const slice of splitSlices(part.text)) yield escapeLong(slice)
      else yield `<span class="stretch">${part.segments.map(writeSegment).join('')}</span>`
    }
    yield '</span>'
  }
}

/** Writes HTML in slices that are large enough to send. */
export function* writeChunks(text: string, chunks: TextChunks): Generator<string> {
  let html = ''
  for (const part of writeParts(text, chunks)) {
    html += part
    if (html.length < SLICE_CHARACTERS) continue
    yield html
    html = ''
  }
  yield html
}

export const HIGHLIGHT_DATA = {
  'data-highlight-worker': SCRIPTS.highlightWorker,
  'data-markdown-styles': MARKDOWN_STYLES,
  'data-view-worker': SCRIPTS.viewWorker,
  'data-view-styles': VIEW_STYLES,
} as const

export const getTextData = (
  document: Document,
  view: AskedView,
  { burned, watched }: { readonly burned: boolean; readonly watched: boolean },
) => ({
  ...HIGHLIGHT_DATA,
  'data-language': getShownLanguage(document, view),
  // The styles hide the source until the script has decided what to show.
  ...(startsRendered(document, view) && { 'data-starts-rendered': getWaiting(document) }),
  // Nobody chose a language, so the script detects it, also by the given title, which may be a file name. The first
  // line of the text, which stands for a missing title, may only look like one.
  ...(view.language === null && !document.languageChosen && { 'data-detect': document.givenTitle ?? '' }),
  // The reader's choice of a language is remembered for the document, unless the address has one.
  ...(view.language === null && !burned && { 'data-id': document.id }),
  ...(!burned && !document.burnAfterReading && { 'data-document': document.id }),
  // The page of somebody who may edit asks whether there is a newer version.
  ...(watched && !burned && !document.burnAfterReading && { 'data-version': document.version }),
})

/** Texts of up to this many lines have links to lines that work without scripts. More elements would make the page slow. */
export const MAX_LINE_ANCHORS = 1_000

/** @param prefixes of the ids of lines. Only the first file of several has two. */
function renderLineNumbers(text: string, chunks: TextChunks, [prefix, ...others]: readonly string[] = ['']) {
  if (prefix === undefined || chunks.linesPerChunk !== null || chunks.lineCount > MAX_LINE_ANCHORS)
    return Array.from(formatLineNumbers(text, chunks), ({ text, className }) =>
      chunks.linesPerChunk === null ? text : <span class={className}>{text}</span>,
    )
  const anchor = (_: unknown, index: number) => {
    const line = index + 1
    const inside = others.reduce((number, other) => `<a id="${other}L${line}">${number}</a>`, `${line}`)
    return `<span id="${prefix}L${line}">${inside}</span>`
  }
  return raw(Array.from({ length: chunks.lineCount }, anchor).join('\n'))
}

/** Puts the text first: the numbers of 100,000 lines take as long to arrive as a third of the lines. */
const hasLateNumbers = (chunks: TextChunks): boolean => chunks.linesPerChunk !== null && isNumbered(chunks)

const Numbers = ({ chunks, children }: { chunks: TextChunks; children: Child }) => (
  <pre class={getNumbersClasses(chunks).join(' ')} aria-hidden="true">
    {children}
  </pre>
)

interface NumberedTextProps {
  readonly text: string
  /** The text, if there is something in it. */
  readonly html?: string | null
  readonly chunks: TextChunks
  readonly display: Display
  readonly data?: Readonly<Record<`data-${string}`, string>>
  /** Is set for one of several texts on a page, which has the styles of long texts. */
  readonly file?: {
    readonly name: string
    readonly linePrefixes: readonly string[]
    readonly class: string
    readonly hasNumbers: boolean
  }
}

const getShownClasses = ({ display, chunks, data = {} }: Omit<NumberedTextProps, 'text'>) => {
  const { longestLine } = chunks
  const wrapped = isWrapped(display, { language: data['data-language'] ?? '', longestLine })
  // A script keeps to what the reader has chosen.
  return [...getDisplayClasses({ ...display, wrapped }), ...(display.wrapped === false ? ['unwrapped'] : [])]
}

/** Selecting text doesn't select the numbers. There are two elements for each chunk, however many lines it has. */
export const NumberedText = ({ text, ...props }: NumberedTextProps) => {
  const { html = null, chunks, data, file } = props
  const draws = isDrawing(text)
  const isLate = !file && hasLateNumbers(chunks)
  const [firstNumbers] = isLate ? formatLineNumbers(text, chunks) : []
  const write = chunks.linesPerChunk === null ? undefined : () => writeChunks(text, chunks)
  const hasMoreStyles = draws || chunks.linesPerChunk !== null || data?.['data-starts-rendered'] !== undefined
  return (
    <>
      {hasMoreStyles && !file && <LongTextStyles />}
      {/* A region that scrolls must be reachable by keyboard (WCAG 2.1.1). */}
      <section
        class={[
          'text',
          ...(draws ? ['drawing'] : []),
          ...getShownClasses(props),
          ...(file?.class ? [file.class] : []),
        ].join(' ')}
        aria-label={file?.name ?? 'Document text'}
        tabindex={0}
        {...data}
      >
        {(file ? file.hasNumbers : isNumbered(chunks)) && (
          <Numbers chunks={chunks}>
            {/* The first ones, until all have arrived. */}
            {isLate ? (
              <span class={firstNumbers?.className}>{firstNumbers?.text}</span>
            ) : (
              renderLineNumbers(text, chunks, file?.linePrefixes)
            )}
          </Numbers>
        )}
        <pre class={getTextClasses(chunks).join(' ') || undefined}>
          <code id={file ? undefined : 'text'} translate="no">
            {html === null ? <SlicedText text={text} write={write} /> : raw(html)}
          </code>
        </pre>
        {isLate && <Numbers chunks={chunks}>{renderLineNumbers(text, chunks)}</Numbers>}
      </section>
    </>
  )
}
