import { type DeviceDocument, forgetDocument } from './device-documents.ts'

/** How often a deletion that the server refuses for now is sent. A server limits how many it takes in a minute. */
const MAX_ATTEMPTS = 5

export interface Progress {
  /** Documents that don't exist any more. */
  readonly deleted: number
  readonly failed: number
  /** Seconds until the next attempt, because the server takes no more deletions now; null if there is no pause. */
  readonly pause: number | null
}

interface Options {
  /** Called before each pause and after each document. */
  readonly onProgress: (progress: Progress, done: DeviceDocument | null) => void
  readonly wait?: (milliseconds: number) => Promise<void>
}

const waitFor = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

/** Deletes documents one after the other, and forgets those that are gone. Waits when the server asks for it. */
export async function deleteDocuments(
  documents: readonly DeviceDocument[],
  { onProgress, wait = waitFor }: Options,
): Promise<Progress> {
  let progress: Progress = { deleted: 0, failed: 0, pause: null }
  for (const one of documents) {
    const isGone = await deleteOne(one, async (seconds) => {
      onProgress({ ...progress, pause: seconds }, null)
      await wait(seconds * 1000)
    })
    // Its cookie stays until it expires: the server gives no answers about documents that are gone.
    if (isGone) forgetDocument(one.id)
    progress = isGone
      ? { ...progress, deleted: progress.deleted + 1 }
      : { ...progress, failed: progress.failed + 1 }
    onProgress(progress, isGone ? one : null)
  }
  return progress
}

/** Returns true if the document doesn't exist any more. */
async function deleteOne(
  { id, token }: DeviceDocument,
  pause: (seconds: number) => Promise<void>,
): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    const init = { method: 'DELETE', headers: { 'X-Document-Token': token } }
    const response = await fetch(`/v1/document/${id}`, init).catch(() => null)
    if (response?.ok || response?.status === 404) return true
    const seconds = Number(response?.headers.get('Retry-After') ?? Number.NaN)
    if (attempt === MAX_ATTEMPTS || !(seconds > 0)) return false
    await pause(seconds)
  }
}
