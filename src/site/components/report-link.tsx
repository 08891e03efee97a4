import type { Document } from '../../documents/model/document.ts'

/** For pages that ask for something before they show a document, and have no navigation. */
export const ReportLink = ({ document }: { document: Document }) => (
  <p class="aside">
    <a href={`/${document.id}/report`}>Report this document</a>
  </p>
)
