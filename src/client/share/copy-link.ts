import { copyToClipboard } from '../shared/elements.ts'

/** For the clipboard, once the link is known. */
const TIMEOUT_MS = 1_500

export interface PendingCopy {
  readonly copy: (link: string) => Promise<boolean>
  readonly cancel: () => void
}

const toBlob = (text: string) => new Blob([text], { type: 'text/plain' })

/** Asks for the clipboard right after a click or a key press: once the document is created, it may be too late. */
export function startCopy(): PendingCopy {
  const link = Promise.withResolvers<string>()
  const blob = link.promise.then(toBlob)
  // Prevents an unhandled rejection if nothing else listens.
  blob.catch(() => {})
  let written: Promise<boolean> = Promise.resolve(false)
  try {
    const item = new ClipboardItem({ 'text/plain': blob })
    written = navigator.clipboard.write([item]).then(
      () => true,
      () => false,
    )
  } catch {
    // This browser takes no promises, or has no clipboard on an insecure page.
  }
  return {
    copy: async (text) => {
      link.resolve(text)
      const timeout = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), TIMEOUT_MS))
      if (await Promise.race([written, timeout])) return true
      return Promise.race([copyToClipboard(text), timeout])
    },
    cancel: () => link.reject(new Error('Nothing was shared.')),
  }
}
