import type { Page } from 'playwright-core'

/** Lets the pages of a browser profile use the clipboard. */
export const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] }

/**
 * Records the texts that the pages of a tab copy. All tests share the system's clipboard, so reading it could return a
 * text from another test.
 *
 * @returns a function that returns the last text.
 */
export async function recordCopies(page: Page): Promise<() => string> {
  let copied = ''
  await page.exposeFunction('recordCopy', (text: string) => {
    copied = text
  })
  await page.addInitScript(() => {
    const { recordCopy } = globalThis as typeof globalThis & { recordCopy: (text: string) => Promise<void> }
    const { clipboard } = navigator
    const [write, writeText] = [clipboard.write.bind(clipboard), clipboard.writeText.bind(clipboard)]
    clipboard.write = async (items) => {
      await write(items)
      for (const item of items) await recordCopy(await (await item.getType('text/plain')).text())
    }
    clipboard.writeText = async (text) => {
      await writeText(text)
      await recordCopy(text)
    }
  })
  return () => copied
}
