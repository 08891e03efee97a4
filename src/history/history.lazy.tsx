import { type Document, holdsToken, isCreator, mayEdit } from '../documents/document.ts'
import { editDocument } from '../documents/edit.ts'
import { requireFound, visibleDocument } from '../documents/read.ts'
import {
  deleteRevisions,
  documentWithRevisions,
  readRevision,
  requireRevision,
  restoreRevision,
} from '../documents/revisions.lazy.ts'
import type { AppContext } from '../env.ts'
import { documentNotFound } from '../errors.ts'
import { type AnswerOptions, checkIfMatch, DocumentChangedError, entityTag } from '../http/answers.ts'
import { authorizeSettings, renewedDocumentTokenCookies } from '../http/identity.ts'
import { limitAttempts } from '../http/limits.ts'
import { compareTexts } from '../shared/compare/compare-texts.ts'
import { parseJwe } from '../shared/jwe.ts'
import { planChunks } from '../shared/lines.ts'
import { identifyPageViewer } from '../site/documents/document-frame.tsx'
import { writeChunks } from '../site/documents/numbered-text.tsx'
import { readFields, submitForm } from '../site/layout/form.ts'
import {
  getDisplay,
  PRIVATE_HEADERS,
  page,
  pageWithText,
  pageWithTwoTexts,
  seeOther,
} from '../site/layout/page.tsx'
import { ComparePage, type CompareView, EncryptedComparePage, RestoreConflictPage } from './compare-page.tsx'
import {
  type FoundHistory,
  findHistoryViewer,
  getHistoryPath,
  RestoreForm,
  requireHistory,
  requireVersion,
} from './history-parts.tsx'
import { EncryptedVersionPage, HistoryPage, VersionPage } from './version-pages.tsx'

const MESSAGES: Readonly<Record<string, string>> = {
  restored: 'Version restored. It’s the current version now.',
  deleted: 'History deleted.',
  stop: 'We no longer keep previous versions of this document.',
  keep: 'From now on, we keep previous versions of this document.',
}

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

async function readContent(
  c: AppContext,
  { document, viewer }: FoundHistory,
  revision: FoundHistory['revisions'][number],
): Promise<string> {
  return readRevision(c.var.store, { document, revision }, { viewer, now: c.var.now })
}

/** Returns null if an editor needn't prove the password, and undefined if they can't. */
async function findProofHeader(c: AppContext, history: FoundHistory): Promise<string | null | undefined> {
  const { document, revisions, viewer } = history
  if (!document.encrypted || isCreator(document, viewer)) return null
  const [current] = revisions
  if (document.proofHash === null || !current || !mayEdit(document, viewer)) return undefined
  return parseJwe(await readContent(c, history, current)).header.encoded
}

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

export async function showComparison(c: AppContext<'/:id/history/compare'>): Promise<Response> {
  const history = await requireHistory(c)
  const { document, revisions, user } = history
  const [current, previous = current] = revisions
  const asked = c.req.query('view')
  const view: CompareView | null = asked === 'side' || asked === 'unified' ? asked : null
  const from = requireVersion(revisions, c.req.query('from') ?? String(previous?.number))
  const to = requireVersion(revisions, c.req.query('to') ?? String(current?.number))
  const props = {
    document,
    revisions,
    from,
    to,
    view,
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

const seeHistory = (c: AppContext, id: string, done: string, cookies: readonly string[] = []): Response =>
  seeOther(c, `${getHistoryPath(id)}?done=${done}`, cookies)

export async function deleteHistory(c: AppContext<'/:id/history/delete'>): Promise<Response> {
  const { viewer, ...history } = await requireHistory(c)
  await deleteRevisions(c.var.store, history, viewer)
  return seeHistory(c, history.document.id, 'deleted')
}

/** Without history, the versions are deleted. */
export async function keepHistory(c: AppContext<'/:id/*'>, keepRevisions: boolean): Promise<Response> {
  const { now, store } = c.var
  const { user, viewer, found } = await findHistoryViewer(c, visibleDocument(c.req.param('id'), now))
  const makeEdit = (document: Document) => {
    if (!holdsToken(document, viewer)) authorizeSettings(user, true)
    return { keepRevisions, fixedSettings: {} }
  }
  const context = { viewer, now, checkPrecondition: () => {}, refuse: documentNotFound }
  const { document } = await editDocument(store, requireFound(found), makeEdit, context)
  return seeHistory(c, document.id, keepRevisions ? 'keep' : 'stop')
}

async function answerConflict(
  c: AppContext<'/:id/history/:number/restore'>,
  changed: Document,
  options: Required<AnswerOptions>,
): Promise<Response> {
  const { document, revisions, user, viewer } = await requireHistory(c)
  const { now, store } = c.var
  const revision = requireVersion(revisions, c.req.param('number'))
  const [current] = revisions
  const read = (version: typeof revision) =>
    readRevision(store, { document, revision: version }, { viewer, now })
  const result =
    document.encrypted || !current ? null : compareTexts(await read(current), await read(revision))
  return page(
    c,
    <RestoreConflictPage
      document={document}
      current={current ?? revision}
      revision={revision}
      // If it changes again, the form comes back once more.
      version={entityTag(changed, 'json')}
      result={result}
      signedIn={user !== null}
    />,
    options,
  )
}

/** Restores nothing if somebody changed the document after the user opened the page. */
export async function restoreVersion(c: AppContext<'/:id/history/:number/restore'>): Promise<Response> {
  const { now, store } = c.var
  const id = c.req.param('id')
  const fields = await readFields(c)
  const claimToken = fields.get('claim_token') || undefined
  return submitForm(c, {
    submit: async () => {
      if (claimToken !== undefined) await limitAttempts(c, id)
      const checkPrecondition = checkIfMatch(fields.get('version') ?? '')
      const number = Number(c.req.param('number'))
      const { viewer, found } = await findHistoryViewer(c, documentWithRevisions(id, now, number))
      const { document } = await restoreRevision(store, requireRevision(found, viewer), {
        viewer,
        now,
        checkPrecondition,
        claimToken,
      })
      return seeHistory(c, id, 'restored', renewedDocumentTokenCookies(c, document, viewer))
    },
    handles: (error) => error instanceof DocumentChangedError,
    showAgain: async (error, options) => {
      if (!(error instanceof DocumentChangedError)) throw error
      return answerConflict(c, error.document, options)
    },
  })
}
