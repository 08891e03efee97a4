import { createNotice } from '../shared/toast.ts'
import { parseVersion, pollVersion } from './polling.ts'

/** Editors are told sooner than readers, since both may be typing. */
const BASE_MS = 5_000

const FAILED = 'The new version couldn’t be loaded. Your text is still here. Try again in a moment.'

interface Options {
  readonly id: string
  /** Of the version that the form started from, or has merged since. */
  readonly etag: () => string
  readonly hasChanges: () => boolean
  readonly findAuthor: () => Promise<string | null>
  /** Returns what the user has to know about the merge. */
  readonly mergeSavedVersion: () => Promise<string>
  /** The merge is in the code editor. */
  readonly onConflict: (message: string) => void
}

export interface EditedDocument {
  /** What the notice says is out of date. */
  readonly onMerged: () => void
}

/** Nothing changes until they ask for it. */
export function watchEditedDocument(options: Options): EditedDocument {
  const { id, etag, hasChanges, findAuthor, mergeSavedVersion, onConflict } = options
  const notice = createNotice()
  let stop = () => {}

  const load = async () => {
    const hadChanges = hasChanges()
    try {
      const message = await mergeSavedVersion()
      if (hadChanges || hasChanges()) onConflict(message)
      else notice.show('The new version is loaded.')
    } catch (error) {
      notice.show(error instanceof Error && error.message !== '' ? error.message : FAILED, {
        label: 'Try again',
        run: () => void load(),
      })
    }
  }
  const tell = async () => {
    const version = etag()
    const author = await findAuthor().catch(() => null)
    // Saving may have merged it in the meantime.
    if (etag() !== version) return
    const changed = hasChanges()
    notice.show(
      `${author ?? 'Somebody else'} has saved a new version. ${changed ? 'Your changes are still here.' : ''}`.trim(),
      { label: changed ? 'Show changes' : 'Load it', run: () => void load() },
    )
  }
  const watch = () => {
    stop()
    const version = parseVersion(etag())
    if (version === null) return
    stop = pollVersion({
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
  return {
    onMerged: () => {
      notice.hide()
      watch()
    },
  }
}
