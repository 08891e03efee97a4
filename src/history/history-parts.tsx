import type { Document } from '../documents/document.ts'
import {
  documentWithRevisions,
  type FoundRevisions,
  type Revision,
  requireRevisions,
} from '../documents/revisions.lazy.ts'
import type { AppContext } from '../env.ts'
import { documentNotFound } from '../errors.ts'
import { type Asked, askAlongside, type Manager } from '../http/identity.ts'
import type { Query } from '../platform/database.ts'
import { formatSize } from '../shared/format.ts'
import { DECRYPT_STYLES, HISTORY_STYLES } from '../site/assets.generated.ts'
import { Age, getLanguageLabel } from '../site/components/facts.tsx'
import { Icon } from '../site/components/icons.tsx'
import { PasswordInput } from '../site/components/password-form.tsx'
import { JweWorker, Verbatim } from '../site/layout/template.tsx'

export const getHistoryPath = (id: string): string => `/${id}/history`

export const getVersionPath = (id: string, number: number): string => `${getHistoryPath(id)}/${number}`

export const getComparePath = (id: string, from: number, to: number): string =>
  `${getHistoryPath(id)}/compare?from=${from}&to=${to}`

/** Returns what a page about the history calls a document. */
export const getDocumentName = ({ id, title }: Pick<Document, 'id' | 'title'>): string => title ?? id

/** Returns who saved a version. Without an account, the document's author did: only they have its token. */
export const getAuthorName = ({ creator }: Document, { author }: Revision): string =>
  author ?? (creator === null ? 'Anonymous' : 'Deleted account')

interface VersionFactsProps {
  readonly document: Document
  readonly revision: Revision
  readonly now: number
  /** Whether to name the version, unless the heading does. */
  readonly isNamed?: boolean
}

/** What the page of a version says about it, in one line above the text. */
export const VersionFacts = ({ document, revision, now, isNamed = true }: VersionFactsProps) => (
  <p class="facts-line">
    {isNamed && <span>Version {revision.number}</span>}
    {revision.current && <span>current</span>}
    <span id="shown-language">{getLanguageLabel(revision)}</span>
    <span>{formatSize(revision.bytes)}</span>
    <span>
      saved <Age at={revision.createdAt} now={now} /> by {getAuthorName(document, revision)}
    </span>
  </p>
)

/** The styles of pages that show the text of versions, or ask for their password. */
export const VERSION_STYLES = [DECRYPT_STYLES, HISTORY_STYLES]

interface EncryptedVersionsProps {
  /** The numbers and the JWEs of the versions. */
  readonly versions: readonly { readonly number: number; readonly jwe: string }[]
  readonly button: string
}

/**
 * Asks for the password of encrypted versions, which a script decrypts in the browser. The form is never sent: its method does
 * nothing outside a dialog.
 */
export const EncryptedVersions = ({ versions, button }: EncryptedVersionsProps) => (
  <>
    <JweWorker />
    <form id="decrypt-versions" class="scripted" method="dialog">
      <PasswordInput wrong={false} describedBy="password-hint" autofocus />
      <p class="hint" id="password-hint">
        Your browser decrypts the text. Neither the password nor the text is sent to the server.
      </p>
      <button type="submit">{button}</button>
    </form>
    <noscript>
      <p>This document is encrypted. Your browser decrypts its versions, which needs JavaScript.</p>
    </noscript>
    {versions.map(({ number, jwe }) => (
      <template class="jwe" data-version={number}>
        <Verbatim text={jwe} />
      </template>
    ))}
  </>
)

interface RestoreFormProps {
  readonly id: string
  readonly number: number
  /** The entity tag of the document that the user sees: no other version is replaced. */
  readonly version: string
  /**
   * The JWE header from which a script derives the proof of the password, which editors of an encrypted document send; null
   * if none is needed.
   */
  readonly proofHeader?: string | null
  readonly button?: string
}

/** Makes a version the current one. */
export const RestoreForm = ({
  id,
  number,
  version,
  proofHeader = null,
  button = 'Restore this version',
}: RestoreFormProps) => (
  <form method="post" action={`${getVersionPath(id, number)}/restore`} class="inline restore">
    <input type="hidden" name="version" value={version} />
    {proofHeader !== null && <input type="hidden" name="claim_token" data-header={proofHeader} />}
    <button type="submit">
      <Icon name="history" />
      {button}
    </button>
  </form>
)

/**
 * Returns who asks, and reads what they ask for in the same round trip. Nobody is sent to sign in: that would tell a document that exists from one that doesn't, or ask
 * somebody to sign in for nothing.
 */
export const findHistoryViewer = <Result,>(c: AppContext, asked: Query<Result>): Promise<Asked<Result>> =>
  askAlongside(c, asked, { as: 'session' })

export type FoundHistory = Manager & FoundRevisions

/** Returns the history of the document in the address. Throws `not_found` for readers. */
export async function requireHistory(c: AppContext<'/:id/*'>): Promise<FoundHistory> {
  const { user, viewer, found } = await findHistoryViewer(
    c,
    documentWithRevisions(c.req.param('id'), c.var.now),
  )
  return { user, viewer, ...requireRevisions(found, viewer) }
}

/** Returns the revision with a number from the address. Throws `not_found` if there is none. */
export function requireVersion<Version extends Revision>(
  revisions: readonly Version[],
  number: string | undefined,
): Version {
  const revision = revisions.find((candidate) => String(candidate.number) === number)
  if (!revision) throw documentNotFound()
  return revision
}
