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
import { JweWorker, Verbatim } from '../site/layout/page.tsx'

export const getHistoryPath = (id: string): string => `/${id}/history`

export const getVersionPath = (id: string, number: number): string => `${getHistoryPath(id)}/${number}`

export const getComparePath = (id: string, from: number, to: number): string =>
  `${getHistoryPath(id)}/compare?from=${from}&to=${to}`

export const getDocumentName = ({ id, title }: Pick<Document, 'id' | 'title'>): string => title ?? id

/** Without an account, the document's author saved a version: only they have its token. */
export const getAuthorName = ({ creator }: Document, { author }: Revision): string =>
  author ?? (creator === null ? 'Anonymous' : 'Deleted account')

interface VersionFactsProps {
  readonly document: Document
  readonly revision: Revision
  readonly now: number
  readonly isNamed?: boolean
}

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

export const VERSION_STYLES = [DECRYPT_STYLES, HISTORY_STYLES]

interface EncryptedVersionsProps {
  readonly versions: readonly { readonly number: number; readonly jwe: string }[]
  readonly button: string
}

/** A script decrypts the versions in the browser. The form is never sent: its method does nothing outside a dialog. */
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
  /** No version but the one with this entity tag is replaced. */
  readonly version: string
  /** From it, a script derives the proof of the password that editors of an encrypted document send. */
  readonly proofHeader?: string | null
  readonly button?: string
}

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

/** Nobody is sent to sign in: that would tell a document that exists from one that doesn't. */
export const findHistoryViewer = <Result,>(c: AppContext, asked: Query<Result>): Promise<Asked<Result>> =>
  askAlongside(c, asked, { as: 'session' })

export type FoundHistory = Manager & FoundRevisions

/** Throws `not_found` for readers. */
export async function requireHistory(c: AppContext<'/:id/*'>): Promise<FoundHistory> {
  const { user, viewer, found } = await findHistoryViewer(
    c,
    documentWithRevisions(c.req.param('id'), c.var.now),
  )
  return { user, viewer, ...requireRevisions(found, viewer) }
}

/** Throws `not_found`. */
export function requireVersion<Version extends Revision>(
  revisions: readonly Version[],
  number: string | undefined,
): Version {
  const revision = revisions.find((candidate) => String(candidate.number) === number)
  if (!revision) throw documentNotFound()
  return revision
}
