import { type Document, hasOpenContent } from '../documents/document.ts'
import { BoundedMap } from '../shared/bounded-map.ts'
import { FRONT_MATTER, findFirstHeading, titleText } from '../shared/derive-title.ts'
import { hasEscapeSequences, removeEscapeSequences } from '../shared/escape-sequences.ts'
import { measureFile } from '../shared/files.ts'
import { findHiddenCharacters, JOINED } from '../shared/hidden-characters.ts'
import { TXTAR } from '../shared/languages.ts'
import { NO_CHUNKS, planChunks } from '../shared/lines.ts'
import { readFirstFile, type TextFile } from '../shared/txtar.ts'

/** An excerpt is made from this much of a text. */
const MAX_READ_UNITS = 2_048

/** Characters that break a line, or that no font has. */
const CONTROLS = /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}]+/gu
/** Matches format characters, which are invisible or could reverse the text around them. */
export const FORMAT_CHARACTERS = String.raw`(?![\u200C\u200D])\p{Cf}|(?<!${JOINED})[\u200C\u200D]`
const FORMATS = new RegExp(FORMAT_CHARACTERS, 'gu')
/** Marks beyond those that any language needs on one letter. */
const STACKED_MARKS = /(\p{M}{3})\p{M}+/gu

export const removeHidden = (text: string): string =>
  removeEscapeSequences(text)
    .replaceAll(CONTROLS, ' ')
    .replaceAll(FORMATS, '')
    .replaceAll(STACKED_MARKS, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim()

export function shortenText(text: string, maxCharacters: number): string {
  const characters = [...text.slice(0, maxCharacters * 2 + 2)]
  if (characters.length <= maxCharacters) return text
  const shortened = characters.slice(0, maxCharacters - 1).join('')
  return `${shortened.replace(/(?<!\s)\s+\S{0,20}$/, '')}…`
}

/** Links and images leave their text, code blocks leave nothing. */
const removeMarkdown = (text: string): string =>
  text
    .replace(FRONT_MATTER, '')
    .replaceAll(/^ {0,3}(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n[\s\S]*?(?:^ {0,3}\1[^\n]*$|(?![\s\S]))/gm, ' ')
    .replaceAll(/<!--[\s\S]*?-->/g, ' ')
    .replaceAll(/<\/?[a-z][^<>]{0,500}>/gi, '')
    .replaceAll(/!?\[([^[\]\n]{0,300})\](?:\([^()\n]{0,1000}\)|\[[^[\]\n]{0,300}\])/g, '$1')
    .replaceAll(/^ {0,3}\[[^[\]\n]{1,300}\]:[^\n]*$/gm, '')
    .replaceAll(/^[ \t]*(?:#{1,6}[ \t]+|>+[ \t]?|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|\d{1,9}[.)][ \t]+)+/gm, '')
    .replaceAll(/^[ \t|:*_=-]{3,}$/gm, '')
    .replaceAll(/(\*{1,3}|_{1,3}|~~?|(?<!`)`+(?!`))(?=\S)([^\n]{1,500}?)(?<=\S)\1/g, '$2')

/** Finding these out takes longer than anything else for 10 MiB. */
export type TextFacts = ReturnType<typeof findFacts>

const MAX_EXCERPT_CHARACTERS = 200

/** Each takes less than two kilobytes, or twelve with a hundred files. */
const MAX_KNOWN_FACTS = 500

/** The facts that this isolate knows, by content key and language. Content never changes. */
const knownFacts = new BoundedMap<string, TextFacts>(MAX_KNOWN_FACTS)

/** V8 makes a part of a text by referring to all of it, which would keep 10 MiB in memory for a title. */
const copy = (text: string): string =>
  new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(new TextEncoder().encode(text))

interface Source {
  readonly isArchive: boolean
  readonly files: readonly TextFile[] | null
}

function findFacts(text: string, language: string | null, { isArchive, files }: Source) {
  const title = titleText(text, language)
  const heading = findFirstHeading(text)
  const beginning = text.slice(0, MAX_READ_UNITS)
  // Of several files, what the first one starts with.
  const start = (isArchive && readFirstFile(beginning)?.content) || beginning
  const getExcerpt = (source: string) => {
    const excerpt = removeHidden(source)
    const rest = excerpt.startsWith(title) ? excerpt.slice(title.length) : excerpt
    return copy(shortenText(rest.replace(/^[\s.:;,–—-]+/, ''), MAX_EXCERPT_CHARACTERS))
  }
  return {
    /** The page shows either the whole text or its files. */
    chunks: files ? NO_CHUNKS : planChunks(text),
    files: files?.map(measureFile) ?? [],
    hidden: findHiddenCharacters(text),
    hasEscapes: hasEscapeSequences(text),
    derivedTitle: copy(title),
    /** The first heading of Markdown, as a title. */
    firstHeading: heading && copy(heading),
    /** The beginning of the text, without the title if it starts with that. */
    excerpts: { markdown: getExcerpt(removeMarkdown(start)), plain: getExcerpt(start) },
  }
}

/** Keeps nothing of a text that was decrypted or burned. */
export function getTextFacts(
  document: Document,
  text: string,
  files: readonly TextFile[] | null = null,
): TextFacts {
  const language = document.languageChosen ? document.language : null
  const source = { isArchive: document.language === TXTAR, files }
  if (!hasOpenContent(document)) return findFacts(text, language, source)
  const key = `${document.contentKey} ${language}${files ? ' files' : ''}`
  const known = knownFacts.get(key)
  if (known) return known
  const facts = findFacts(text, language, source)
  knownFacts.set(key, facts)
  return facts
}
