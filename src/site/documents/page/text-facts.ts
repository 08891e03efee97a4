import type { Document } from '../../../documents/model/document.ts'
import { hasOpenContent } from '../../../documents/read-start.ts'
import { deriveTitle } from '../../../shared/text/derive-title.ts'
import { findHiddenCharacters, type HiddenCharacters } from '../../../shared/text/hidden-characters.ts'
import { planChunks, type TextChunks } from '../../../shared/text/lines.ts'
import { deriveExcerpt } from '../../previews/excerpt.ts'

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
const kept = new Map<string, TextFacts>()

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
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value ?? '')
  return facts
}
