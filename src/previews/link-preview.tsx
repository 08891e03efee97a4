import { type Document, hasOpenContent, isListed } from '../documents/document.ts'
import { formatCount, formatSize } from '../shared/format.ts'
import { findLanguage, PLAIN_TEXT } from '../shared/languages.ts'
import { getLanguageLabel } from '../ui/facts.tsx'
import { type LinkPreview, NEUTRAL_PREVIEW } from '../ui/link-preview.tsx'
import { removeHidden, shortenText, type TextFacts } from '../ui/text-facts.ts'

const MAX_PREVIEW_TITLE_CHARACTERS = 120
const MAX_AUTHOR_AND_LANGUAGE_CHARACTERS = 60

/** Services keep what they load, so each version of a document has its own address. */
export const getPicturePath = ({ id, version }: Document): string =>
  `/${id}/preview.png?v=${encodeURIComponent(version.slice(0, 8))}`

const PROSE: ReadonlySet<string> = new Set([PLAIN_TEXT, 'markdown'])

interface PreviewedText {
  readonly document: Document
  readonly facts: TextFacts
  /** Is missing for an ordinary text. */
  readonly files?: number
}

function describe({ document, facts: { chunks, excerpts }, files }: PreviewedText): string {
  const { lineCount } = chunks
  const shorten = (text: string) => shortenText(removeHidden(text), MAX_AUTHOR_AND_LANGUAGE_CHARACTERS)
  const facts = [
    files === undefined ? shorten(getLanguageLabel(document)) : formatCount(files, 'file'),
    // The text of an archive has more lines than its files.
    ...(files === undefined ? [lineCount === 1 ? '1 line' : `${lineCount} lines`] : []),
    formatSize(document.contentBytes),
    ...(document.creator ? [`by ${shorten(document.creator.username)}`] : []),
  ].join(' · ')
  const language = findLanguage(document.language)?.name ?? PLAIN_TEXT
  if (files !== undefined) return excerpts.plain === '' ? facts : `${facts} — ${excerpts.plain}`
  if (!PROSE.has(language)) return facts
  const excerpt = language === 'markdown' ? excerpts.markdown : excerpts.plain
  return excerpt === '' ? facts : `${facts} — ${excerpt}`
}

export function previewDocument(text: PreviewedText): LinkPreview {
  const { document, facts } = text
  if (!hasOpenContent(document)) return NEUTRAL_PREVIEW
  const given = document.givenTitle === null ? '' : removeHidden(document.givenTitle)
  const title = given === '' ? facts.derivedTitle : given
  return {
    title: shortenText(title, MAX_PREVIEW_TITLE_CHARACTERS),
    description: describe(text),
    type: 'article',
    path: `/${document.id}`,
    listed: isListed(document),
    picture: document.imageEmbed
      ? { path: getPicturePath(document), alt: 'The beginning of the document' }
      : null,
  }
}
