import type { Document } from '../../documents/document.ts'
import { hasOpenContent } from '../../documents/read.ts'
import { BoundedMap } from '../../shared/bounded-map.ts'
import { deriveTitle } from '../../shared/derive-title.ts'
import { findHiddenCharacters, type HiddenCharacters } from '../../shared/hidden-characters.ts'
import { planChunks, type TextChunks } from '../../shared/lines.ts'

/** UTF-16 units of a text that an excerpt is made from. */
const MAX_READ_UNITS = 2_048

/** Characters that break a line, or that no font has. */
const CONTROLS = /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}]+/gu
/** Joiners are part of emoji, and of words in scripts that join. */
const JOINED = String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F\p{M}]|(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{L}`
/** Format characters, which are invisible or could reverse the text around them. */
const FORMATS = new RegExp(String.raw`(?![\u200C\u200D])\p{Cf}|(?<!${JOINED})[\u200C\u200D]`, 'gu')
/** More marks on one letter than any language needs. */
const STACKED_MARKS = /(\p{M}{3})\p{M}+/gu

/** Returns a text on one line, without what a reader can't see and what could change how the text around it reads. */
export const removeHidden = (text: string): string =>
  text
    .replaceAll(CONTROLS, ' ')
    .replaceAll(FORMATS, '')
    .replaceAll(STACKED_MARKS, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Shortens a text to a number of characters, after a word if there is one near. */
export function shortenText(text: string, maxCharacters: number): string {
  const characters = [...text.slice(0, maxCharacters * 2 + 2)]
  if (characters.length <= maxCharacters) return text
  const kept = characters.slice(0, maxCharacters - 1).join('')
  return `${kept.replace(/(?<!\s)\s+\S{0,20}$/, '')}…`
}

/** Returns a text without the marks of Markdown. Links and images leave their text, code blocks leave nothing. */
const removeMarkdown = (text: string): string =>
  text
    .replaceAll(/^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\1[^\n]*$|(?![\s\S]))/gm, ' ')
    .replaceAll(/<!--[\s\S]*?-->/g, ' ')
    .replaceAll(/<\/?[a-z][^<>]{0,500}>/gi, '')
    .replaceAll(/!?\[([^[\]\n]{0,300})\](?:\([^()\n]{0,1000}\)|\[[^[\]\n]{0,300}\])/g, '$1')
    .replaceAll(/^ {0,3}\[[^[\]\n]{1,300}\]:[^\n]*$/gm, '')
    .replaceAll(/^[ \t]*(?:#{1,6}[ \t]+|>+[ \t]?|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|\d{1,9}[.)][ \t]+)+/gm, '')
    .replaceAll(/^[ \t|:*_=-]{3,}$/gm, '')
    .replaceAll(/(\*{1,3}|_{1,3}|~~|`+)(?=\S)([^\n]{1,500}?)(?<=\S)\1/g, '$2')

interface ExcerptOptions {
  readonly maxCharacters: number
  readonly markdown: boolean
  /** The title that is shown beside the excerpt, which leaves it out if it starts with it. */
  readonly title: string | null
}

/** Returns the beginning of a text on one line, without markup and hidden characters. Empty if it says nothing. */
function deriveExcerpt(text: string, { maxCharacters, markdown, title }: ExcerptOptions): string {
  const start = text.slice(0, MAX_READ_UNITS)
  const excerpt = removeHidden(markdown ? removeMarkdown(start) : start)
  const rest = title !== null && excerpt.startsWith(title) ? excerpt.slice(title.length) : excerpt
  return shortenText(rest.replace(/^[\s.:;,–—-]+/, ''), maxCharacters)
}

/** What a page says about a text. For 10 MiB, finding it out takes longer than anything else. */
export interface TextFacts {
  readonly chunks: TextChunks
  readonly hidden: HiddenCharacters
  /** Null if no line of it could be a title. */
  readonly derivedTitle: string | null
  /** Its beginning, for previews, read as Markdown or as plain text. */
  readonly excerpts: { readonly markdown: string; readonly plain: string }
}

const MAX_EXCERPT_CHARACTERS = 200

/** Each takes less than two kilobytes. */
const MAX_KEPT = 500

/** The facts about contents that this isolate has shown, by content key. Content never changes. */
const kept = new BoundedMap<string, TextFacts>(MAX_KEPT)

/** Copies a text. V8 makes a part of a text by referring to all of it, which would keep 10 MiB in memory for a title. */
const copy = (text: string): string =>
  new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(new TextEncoder().encode(text))

function findFacts(text: string): TextFacts {
  const title = deriveTitle(text)
  const derivedTitle = title && copy(title)
  const getExcerpt = (markdown: boolean) =>
    copy(deriveExcerpt(text, { maxCharacters: MAX_EXCERPT_CHARACTERS, markdown, title }))
  return {
    chunks: planChunks(text),
    hidden: findHiddenCharacters(text),
    derivedTitle,
    excerpts: { markdown: getExcerpt(true), plain: getExcerpt(false) },
  }
}

/** Returns the facts about the content of a document. Keeps nothing of a text that was decrypted or burned. */
export function getTextFacts(document: Document, text: string): TextFacts {
  if (!hasOpenContent(document)) return findFacts(text)
  const { contentKey } = document
  const known = kept.get(contentKey)
  if (known) return known
  const facts = findFacts(text)
  kept.set(contentKey, facts)
  return facts
}
