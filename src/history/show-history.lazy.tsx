import { isCreator, mayEdit } from '../documents/document.ts'
import { readRevision } from '../documents/revisions.lazy.ts'
import type { AppContext } from '../env.ts'
import { entityTag } from '../http/conditional-requests.ts'
import { compareTexts } from '../shared/compare/compare-texts.ts'
import { parseJwe } from '../shared/jwe.ts'
import { planChunks } from '../shared/lines.ts'
import { identifyPageViewer } from '../site/documents/document-frame.tsx'
import { writeChunks } from '../site/documents/numbered-text.tsx'
import { getDisplay, PRIVATE_HEADERS, page, pageWithText, pageWithTwoTexts } from '../site/layout/page.tsx'
import { ComparePage, type CompareView, EncryptedComparePage } from './compare-page.tsx'
import { type FoundHistory, RestoreForm, requireHistory, requireVersion } from './history-parts.tsx'
import { EncryptedVersionPage, HistoryPage, VersionPage } from './version-pages.tsx'

const MESSAGES: Readonly<Record<string, string>> = {
  restored: 'Version restored. It’s the current version now.',
  deleted: 'History deleted.',
  stop: 'We no longer keep previous versions of this document.',
  keep: 'From now on, we keep previous versions of this document.',
}

/** Answers the list of versions. */
export async function showHistory(c: AppContext<'/:id/history'>): Promise<Response> {
  const { document, revisions, user, viewer } = await requireHistory(c)
  return page(
    c,
    <HistoryPage
      document={document}
      revisions={revisions}
      signedIn={user !== null}
      isCreator={isCreator(document, viewer)}
      message={MESSAGES[c.req.query('done') ?? ''] ?? null}
      now={c.var.now}
    />,
    { headers: PRIVATE_HEADERS },
  )
}

/** Returns the content of a revision: the text, or the JWE of an encrypted document. */
async function readContent(
  c: AppContext,
  { document, viewer }: FoundHistory,
  revision: FoundHistory['revisions'][number],
): Promise<string> {
  return readRevision(c.var.store, { document, revision }, { viewer, now: c.var.now })
}

/** Returns the JWE header by which an editor proves the password; null if they needn't, undefined if they can't. */
async function findProofHeader(c: AppContext, history: FoundHistory): Promise<string | null | undefined> {
  const { document, revisions, viewer } = history
  if (!document.encrypted || isCreator(document, viewer)) return null
  const [current] = revisions
  if (document.proofHash === null || !current || !mayEdit(document, viewer)) return undefined
  return parseJwe(await readContent(c, history, current)).header.encoded
}

/** Answers the page of one version. */
export async function showVersion(c: AppContext<'/:id/history/:number'>): Promise<Response> {
  const history = await requireHistory(c)
  const { document, revisions } = history
  const revision = requireVersion(revisions, c.req.param('number'))
  const content = await readContent(c, history, revision)
  const proofHeader = revision.current ? undefined : await findProofHeader(c, history)
  const props = {
    document,
    revision,
    revisions,
    viewer: await identifyPageViewer(c, document),
    display: getDisplay(c),
    now: c.var.now,
    restore: proofHeader !== undefined && (
      <RestoreForm
        id={document.id}
        number={revision.number}
        version={entityTag(document, 'json')}
        proofHeader={proofHeader}
      />
    ),
  }
  if (document.encrypted) {
    const restoresDecrypted = typeof proofHeader === 'string'
    return pageWithText(
      c,
      content,
      (jwe) => <EncryptedVersionPage {...props} jwe={jwe} restoresDecrypted={restoresDecrypted} />,
      { headers: PRIVATE_HEADERS },
    )
  }
  const chunks = planChunks(content)
  return pageWithText(
    c,
    content,
    (text) => <VersionPage {...props} content={content} text={text} chunks={chunks} />,
    {
      headers: PRIVATE_HEADERS,
      write: chunks.linesPerChunk === null ? undefined : (text) => writeChunks(text, chunks),
    },
  )
}

const parseView = (view: string | undefined): CompareView | null =>
  view === 'side' || view === 'unified' ? view : null

/** Answers the comparison of two versions; by default of the current one with the one before. */
export async function showComparison(c: AppContext<'/:id/history/compare'>): Promise<Response> {
  const history = await requireHistory(c)
  const { document, revisions, user } = history
  const [current, previous = current] = revisions
  const from = requireVersion(revisions, c.req.query('from') ?? String(previous?.number))
  const to = requireVersion(revisions, c.req.query('to') ?? String(current?.number))
  const props = {
    document,
    revisions,
    from,
    to,
    view: parseView(c.req.query('view')),
    now: c.var.now,
    signedIn: user !== null,
  }
  const old = await readContent(c, history, from)
  const latest = from.number === to.number ? old : await readContent(c, history, to)
  if (document.encrypted && from.number !== to.number) {
    return pageWithTwoTexts(
      c,
      [old, latest],
      (fromJwe, toJwe) => <EncryptedComparePage {...props} fromJwe={fromJwe} toJwe={toJwe} />,
      { headers: PRIVATE_HEADERS },
    )
  }
  return page(c, <ComparePage {...props} result={compareTexts(old, latest)} />, { headers: PRIVATE_HEADERS })
}
