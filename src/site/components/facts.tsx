import { type Document, neverExpires } from '../../documents/model/document.ts'
import { formatSize } from '../../shared/format.ts'
import { findLanguage } from '../../shared/languages.ts'
import { Age, Time } from './time.tsx'

/** Returns the label of a document's language; for a language that the site doesn't know, its name. */
export const getLanguageLabel = ({ language }: Document): string => findLanguage(language)?.label ?? language

/** The time when a document expires. */
export const ExpiryTime = ({ document }: { document: Document }) =>
  neverExpires(document) ? 'Never' : <Time at={document.expiresAt} />

interface FactsProps {
  readonly document: Document
  readonly views: number
  readonly burned: boolean
  readonly now: number
}

/** What the page of a document says about it, above the text. */
export const Facts = ({ document, views, burned, now }: FactsProps) => (
  <dl class="facts">
    <div>
      <dt>Language</dt>
      <dd>{getLanguageLabel(document)}</dd>
    </div>
    <div>
      <dt>Size</dt>
      <dd>{formatSize(document.contentBytes)}</dd>
    </div>
    <div>
      <dt>Views</dt>
      <dd>{views}</dd>
    </div>
    {document.creator && (
      <div>
        <dt>Author</dt>
        <dd>{document.creator.username}</dd>
      </div>
    )}
    <div>
      <dt>Created</dt>
      <dd>
        <Age at={document.createdAt} now={now} />
      </dd>
    </div>
    {document.lastEditedBy && (
      <div>
        <dt>Last edited by</dt>
        <dd>
          {document.lastEditedBy.username}, <Time at={document.updatedAt} />
        </dd>
      </div>
    )}
    {!burned && (
      <div>
        <dt>Expires</dt>
        <dd>{neverExpires(document) ? 'Never' : <Age at={document.expiresAt} now={now} />}</dd>
      </div>
    )}
  </dl>
)
