import type { Child } from 'hono/jsx'
import { type Document, holdsToken, isCreator, mayEdit } from '../documents/document.ts'
import { editDocument } from '../documents/edit.ts'
import { requireFound, visibleDocument } from '../documents/read.ts'
import {
  deleteRevisions,
  documentWithRevisions,
  type FoundRevisions,
  readRevision,
  requireRevision,
  requireRevisions,
  restoreRevision,
} from '../documents/revisions.ts'
import type { AppContext } from '../env.ts'
import { documentNotFound } from '../errors.ts'
import { type AnswerOptions, checkIfMatch, DocumentChangedError, entityTag } from '../http/answers.ts'
import { askSession, type Manager, renewedDocumentTokenCookies } from '../http/identity.ts'
import { limitAttempts, limitLongText } from '../http/limits.ts'
import { authorizeSettings } from '../http/permissions.ts'
import {
  type ComparedVersions,
  compareFiles,
  summarizeChanges,
  summarizeFiles,
} from '../shared/compare/compare-files.ts'
import { compareTexts, countChanges, countResult } from '../shared/compare/compare-texts.ts'
import { WorkLimit } from '../shared/compare/diff-tokens.ts'
import { parseJwe } from '../shared/jwe.ts'
import { planChunks, toShownLines } from '../shared/lines.ts'
import { getViewerAccess } from '../ui/document-header.tsx'
import { Time } from '../ui/facts.tsx'
import { Icon } from '../ui/icons.tsx'
import { getDisplay, PRIVATE_HEADERS, page, seeOther, withHeaders } from '../ui/page.tsx'
import { readFields, submitForm } from '../ui/submitted-form.ts'
import {
  findBefore,
  getAuthorName,
  getHistoryPath,
  getVersionPath,
  HistoryPage,
  type Shown,
  type VersionChanges,
  VIEWS,
} from './history-page.tsx'

const MESSAGES = new Map([
  ['restored', 'Version restored. It’s the current version now.'],
  ['deleted', 'History deleted.'],
  ['stop', 'We no longer keep previous versions of this document.'],
  ['keep', 'From now on, we keep previous versions of this document.'],
])

type FoundHistory = Manager & FoundRevisions
type Version = FoundRevisions['revisions'][number]

async function requireHistory(c: AppContext<'/:id/*'>): Promise<FoundHistory> {
  const asked = documentWithRevisions(c.req.param('id'), c.var.now)
  // Nobody is sent to sign in: that would tell a document that exists from one that doesn't.
  const { user, viewer, found } = await askSession(c, asked)
  return { user, viewer, ...requireRevisions(found, viewer) }
}

function requireVersion(revisions: readonly Version[], number: string | undefined): Version {
  const revision = revisions.find((candidate) => String(candidate.number) === number)
  if (!revision) throw documentNotFound()
  return revision
}

/** Versions whose changes are counted: for each, the page reads one more content. */
const MAX_COUNTED = 20
/** Lines that are mostly different take longer to compare than to show. */
const LONG_COMPARISON_BYTES = 64 * 1024
const MAX_COUNTED_BYTES = 512 * 1024

/** Returns a function that reads each version once. */
function createReader(c: AppContext, { document, viewer }: FoundHistory) {
  const reads = new Map<number, Promise<string>>()
  return (revision: Version): Promise<string> => {
    const read =
      reads.get(revision.number) ??
      readRevision(c.var.store, { document, revision }, { viewer, now: c.var.now })
    reads.set(revision.number, read)
    return read
  }
}

type Reader = ReturnType<typeof createReader>

/** Steps to count the changes of all versions in the list. */
const STEPS_TO_COUNT = 150_000

const summarizeVersions = (versions: ComparedVersions, work: WorkLimit): VersionChanges =>
  summarizeFiles(versions, work) ?? {
    counts: countChanges(versions.old.text, versions.current.text, work),
    files: null,
  }

/** Returns null unless the page shows a comparison. */
function summarizeShown(shown: Shown): VersionChanges | null {
  if (shown.kind === 'files') return summarizeChanges(shown.changes)
  return shown.kind === 'change' ? { counts: countResult(shown.result), files: null } : null
}

/** Compares each version with the one before it, unless that is known. */
async function summarizeAll(
  { document, revisions }: FoundHistory,
  read: Reader,
  known: ReadonlyMap<number, VersionChanges>,
): Promise<ReadonlyMap<number, VersionChanges>> {
  let bytesLeft = MAX_COUNTED_BYTES
  const counted = revisions.slice(0, MAX_COUNTED + 1).filter((revision) => {
    bytesLeft -= revision.bytes
    return bytesLeft >= 0
  })
  // So little that no memory is reserved for it.
  const versions = await Promise.all(
    counted.map(async (revision) => {
      // The page is there without the counts of a version whose content is missing.
      const text = await read(revision).catch(() => null)
      return text === null ? null : { ...revision, text }
    }),
  )
  const summaries = new Map(known)
  const work = new WorkLimit(STEPS_TO_COUNT)
  for (const [index, current] of versions.entries()) {
    const old = versions[index + 1]
    if (old && current && !known.has(current.number))
      summaries.set(current.number, summarizeVersions({ old, current, title: document.givenTitle }, work))
  }
  return summaries
}

/** Returns null if an editor needn't prove the password, and undefined if they can't. */
async function findProofHeader(history: FoundHistory, read: Reader): Promise<string | null | undefined> {
  const { document, revisions, viewer } = history
  if (!document.encrypted || isCreator(document, viewer)) return null
  const [current] = revisions
  if (document.proofHash === null || !current || !mayEdit(document, viewer)) return undefined
  return parseJwe(await read(current)).header.encoded
}

interface Asking {
  readonly revision: Version
  /** The version to compare with; undefined for the version before. */
  readonly base?: Version
  readonly message?: string | null
  readonly problem?: Child
  readonly restoreButton?: string
}

function showText(stored: string): Shown {
  const content = toShownLines(stored)
  return { kind: 'text', content, chunks: planChunks(content), hasCr: content !== stored }
}

/** Answers with the page of a history: all its addresses have this one. */
async function answerHistory(
  c: AppContext,
  history: FoundHistory,
  { revision, base: chosen, message = null, problem = null, restoreButton = 'Restore' }: Asking,
  options: AnswerOptions = {},
): Promise<Response> {
  const { document, revisions } = history
  const asked = c.req.query('view')
  const view = VIEWS.find((name) => name === asked) ?? null
  const base = view === 'text' ? null : (chosen ?? findBefore(revisions, revision))
  const read = createReader(c, history)
  if (base) await limitLongText(c, base.bytes + revision.bytes, LONG_COMPARISON_BYTES)
  else await limitLongText(c, revision.bytes)
  const proofHeader = revision.current ? undefined : await findProofHeader(history, read)
  const isEmpty = revisions.length === 1 && c.req.param('number') === undefined
  // One after the other: a request reserves memory for large content once, and then adds to it.
  const texts: string[] = []
  for (const each of isEmpty ? [] : base ? [base, revision] : [revision]) texts.push(await read(each))
  const [first = '', second = ''] = texts
  const changes =
    base && !document.encrypted && !isEmpty
      ? compareFiles({
          old: { ...base, text: first },
          current: { ...revision, text: second },
          title: document.givenTitle,
        })
      : null
  const shown: Shown = isEmpty
    ? { kind: 'nothing' }
    : document.encrypted
      ? { kind: 'encrypted', texts }
      : changes
        ? { kind: 'files', changes }
        : base
          ? { kind: 'change', result: compareTexts(first, second) }
          : showText(first)
  const summary = base?.number === findBefore(revisions, revision)?.number ? summarizeShown(shown) : null
  const known = new Map(summary && [[revision.number, summary]])
  const listed = document.encrypted || isEmpty ? known : await summarizeAll(history, read, known)
  const props = {
    document,
    revisions,
    revision,
    base,
    view,
    shown,
    listed,
    access: await getViewerAccess(c, document),
    display: getDisplay(c),
    now: c.var.now,
    message,
    problem,
    restoresDecrypted: typeof proofHeader === 'string',
    restore: proofHeader !== undefined && (
      <form
        method="post"
        action={`${getVersionPath(document.id, revision.number)}/restore`}
        class="inline restore"
      >
        {/* No other version is replaced. */}
        <input type="hidden" name="version" value={entityTag(document, 'json')} />
        {/* From it, a script derives the proof of the password that editors of an encrypted document send. */}
        {proofHeader !== null && <input type="hidden" name="claim_token" data-header={proofHeader} />}
        <button type="submit" class="small">
          <Icon name="history" />
          {restoreButton}
        </button>
      </form>
    ),
  }
  return page(c, <HistoryPage {...props} />, withHeaders(options, PRIVATE_HEADERS))
}

export async function showHistory(c: AppContext<'/:id/history'>): Promise<Response> {
  const history = await requireHistory(c)
  const revision = history.revisions[0]
  if (!revision) throw documentNotFound()
  return answerHistory(c, history, { revision, message: MESSAGES.get(c.req.query('done') ?? '') ?? null })
}

export async function showVersion(c: AppContext<'/:id/history/:number'>): Promise<Response> {
  const history = await requireHistory(c)
  return answerHistory(c, history, { revision: requireVersion(history.revisions, c.req.param('number')) })
}

export async function showComparison(c: AppContext<'/:id/history/compare'>): Promise<Response> {
  const history = await requireHistory(c)
  const { revisions } = history
  const [current, previous = current] = revisions
  return answerHistory(c, history, {
    base: requireVersion(revisions, c.req.query('from') ?? String(previous?.number)),
    revision: requireVersion(revisions, c.req.query('to') ?? String(current?.number)),
  })
}

const seeHistory = (c: AppContext, id: string, done: string, cookies: readonly string[] = []): Response =>
  seeOther(c, `${getHistoryPath(id)}?done=${done}`, cookies)

export async function deleteHistory(c: AppContext<'/:id/history/delete'>): Promise<Response> {
  const { viewer, ...history } = await requireHistory(c)
  await deleteRevisions(c.var.store, history, viewer)
  return seeHistory(c, history.document.id, 'deleted')
}

/** Turns the history on or off. Without history, the versions are deleted. */
export async function keepHistory(c: AppContext<'/:id/*'>, keepRevisions: boolean): Promise<Response> {
  const { now, store } = c.var
  const { user, viewer, found } = await askSession(c, visibleDocument(c.req.param('id'), now))
  const makeEdit = (document: Document) => {
    if (!holdsToken(document, viewer)) authorizeSettings(user, true)
    return { keepRevisions, fixedSettings: {} }
  }
  const context = { viewer, now, checkPrecondition: () => {}, refuse: documentNotFound }
  const { document } = await editDocument(store, requireFound(found), makeEdit, context)
  return seeHistory(c, document.id, keepRevisions ? 'keep' : 'stop')
}

/** Shows what restoring would change now. If the document changes again, the page comes back once more. */
async function answerConflict(
  c: AppContext<'/:id/history/:number/restore'>,
  options: Required<AnswerOptions>,
): Promise<Response> {
  const history = await requireHistory(c)
  const { document, revisions } = history
  const revision = requireVersion(revisions, c.req.param('number'))
  const [current = revision] = revisions
  const problem = (
    <>
      Nothing was restored. {getAuthorName(document, current)} saved the document on{' '}
      <Time at={document.updatedAt} />, after you opened the page. Below is what restoring version{' '}
      {revision.number} would change now.
    </>
  )
  const restoreButton = 'Restore anyway'
  return answerHistory(c, history, { revision, base: current, problem, restoreButton }, options)
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
      const { viewer, found } = await askSession(c, documentWithRevisions(id, now, number))
      const { document } = await restoreRevision(store, requireRevision(found, viewer), {
        viewer,
        now,
        checkPrecondition,
        claimToken,
      })
      return seeHistory(c, id, 'restored', renewedDocumentTokenCookies(c, document, viewer))
    },
    handles: (error) => error instanceof DocumentChangedError,
    showAgain: async (_error, options) => answerConflict(c, options),
  })
}
