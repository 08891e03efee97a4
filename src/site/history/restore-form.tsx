import { Icon } from '../components/icon.tsx'
import { getVersionPath } from './history-paths.ts'

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
