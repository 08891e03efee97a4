import { type Document, neverExpires } from '../../documents/model/document.ts'
import { formatSize } from '../../shared/format.ts'
import { findLanguage } from '../../shared/languages.ts'
import { Age, Time } from './time.tsx'

/** The name of a document's language, where the site knows one. */
export const languageName = ({ language }: Document): string => findLanguage(language)?.label ?? language

/** When a document expires. */
export const Expiration = ({ document }: { document: Document }) =>
  neverExpires(document) ? 'never' : <Time at={document.expiresAt} />

interface FactsProps {
  readonly document: Document
  readonly views: number
  readonly burned: boolean
  readonly now: number
}

/** What is to be known about a document beside its text. */
export const Facts = ({ document, views, burned, now }: FactsProps) => (
  <dl class="facts">
    <div>
      <dt>Language</dt>
      <dd>{languageName(document)}</dd>
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
        <dt>Creator</dt>
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
        <dt>Saved last by</dt>
        <dd>
          {document.lastEditedBy.username}, <Time at={document.updatedAt} />
        </dd>
      </div>
    )}
    {!burned && (
      <div>
        <dt>Expires</dt>
        <dd>{neverExpires(document) ? 'never' : <Age at={document.expiresAt} now={now} />}</dd>
      </div>
    )}
  </dl>
)
