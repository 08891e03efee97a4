import { type Document, neverExpires } from '../../documents/model/document.ts'
import { formatSize, formatViews } from '../../shared/format.ts'
import { findLanguage } from '../../shared/languages/languages.ts'
import { getAuthor } from './author.tsx'
import { Age, Time } from './time.tsx'

/** Returns the label of a document's language; for a language that the site doesn't know, its name. */
export const getLanguageLabel = ({ language }: Pick<Document, 'language'>): string =>
  findLanguage(language)?.label ?? language

/** The time when a document expires. */
export const ExpiryTime = ({ document }: { document: Document }) =>
  neverExpires(document) ? 'Never' : <Time at={document.expiresAt} />

interface FactsProps {
  readonly document: Document
  readonly views: number
  readonly burned: boolean
  readonly now: number
  /** The language that the document is displayed in; by default its own. */
  readonly language?: string
  /** The document that it's a duplicate of, if the viewer may know of it. */
  readonly original?: { readonly id: string; readonly title: string } | null
}

/** What the page of a document says about it, in one line above the text. Phones show the minor facts elsewhere. */
export const Facts = ({
  document,
  views,
  burned,
  now,
  language = document.language,
  original = null,
}: FactsProps) => (
  <p class="facts-line">
    <span id="shown-language">{getLanguageLabel({ language })}</span>
    <span class="minor">{formatSize(document.contentBytes)}</span>
    <span class="minor">{formatViews(views)}</span>
    {document.creator && <span>by {getAuthor(document)}</span>}
    <span>
      <Age at={document.createdAt} now={now} />
    </span>
    {document.lastEditedBy && (
      <span>
        edited <Age at={document.updatedAt} now={now} /> by {document.lastEditedBy.username}
      </span>
    )}
    {!burned && (
      <span>
        {neverExpires(document) ? (
          'never expires'
        ) : (
          <>
            expires <Age at={document.expiresAt} now={now} />
          </>
        )}
      </span>
    )}
    {original && (
      <span>
        duplicated from{' '}
        <a href={`/${original.id}`} dir="auto">
          {original.title}
        </a>
      </span>
    )}
  </p>
)
