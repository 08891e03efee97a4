import { createNotice } from '../shared/toast.ts'
import { parseVersion, pollVersion } from './polling.ts'

/** Editors are told sooner than readers, since both may be typing. */
const BASE_MS = 5_000

const FAILED = 'The new version couldn’t be loaded. Your text is still here. Try again in a moment.'

interface EditedDocument {
  readonly id: string
  /** Of the version that the form started from, or has merged since. */
  readonly etag: () => string
  readonly hasChanges: () => boolean
  readonly findAuthor: () => Promise<string | null>
  readonly mergeSavedVersion: () => Promise<string>
}

/** Nothing changes until they ask for it. */
export function watchEditedDocument({
  id,
  etag,
  hasChanges,
  findAuthor,
  mergeSavedVersion,
}: EditedDocument): void {
  const notice = createNotice()

  const load = async () => {
    const hadChanges = hasChanges()
    try {
      const message = await mergeSavedVersion()
      notice.show(hadChanges || hasChanges() ? message : 'The new version is loaded.')
      watch()
    } catch (error) {
      notice.show(error instanceof Error && error.message !== '' ? error.message : FAILED, {
        label: 'Try again',
        run: () => void load(),
      })
    }
  }
  const tell = async () => {
    const author = await findAuthor().catch(() => null)
    const changed = hasChanges()
    notice.show(
      `${author ?? 'Somebody else'} has saved a new version. ${changed ? 'Your changes are still here.' : ''}`.trim(),
      { label: changed ? 'Show changes' : 'Load it', run: () => void load() },
    )
  }
  function watch() {
    const version = parseVersion(etag())
    if (version === null) return
    pollVersion({
      id,
      version,
      baseMs: BASE_MS,
      onNews: (news) => {
        if (news === 'changed') return void tell()
        notice.show('This document has expired or was deleted. Copy your text if you need it.')
      },
    })
  }
  watch()
}
