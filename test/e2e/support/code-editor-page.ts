import type { Locator, Page } from 'playwright-core'
import { decryptJwe } from '../../../src/shared/jwe.ts'

/** Opens the page for new documents, and waits for its code editor. */
export async function openCreatePage(page: Page): Promise<void> {
  await page.goto('/')
  await codeEditor(page).waitFor()
}

/** The text box as the server writes it, which the code editor replaces once its script has run. */
export const plainTextBox = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })

export const codeEditor = (page: Page) => plainTextBox(page).and(page.locator('.cm-content'))

/**
 * Replaces the text with the code editor's own keys. Playwright's `fill` selects it behind the code editor's back, which
 * selects something else if it changes at that moment, because a language has been loaded.
 */
export async function fillCodeEditor(page: Page, text: string): Promise<void> {
  await codeEditor(page).press('ControlOrMeta+A')
  if (text === '') await page.keyboard.press('Delete')
  else await page.keyboard.insertText(text)
}

/** Returns the lines in the code editor, without the placeholder of an empty one. */
export const codeEditorText = async (page: Page): Promise<string> => {
  await codeEditor(page).waitFor()
  const lines = codeEditor(page).locator('.cm-line')
  return (await lines.locator('.cm-placeholder').count()) > 0
    ? ''
    : (await lines.allTextContents()).join('\n')
}

export const isFocused = (page: Page): Promise<boolean> =>
  codeEditor(page).evaluate((element) => element === document.activeElement)

export const saveButton = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })

/** Saves, and waits until the page leads to the document. */
export async function save(page: Page, id: string): Promise<void> {
  await saveButton(page).click()
  await page.waitForURL(`**/${id}`)
}

export const shareButton = (page: Page) => page.getByRole('button', { name: 'Share', exact: true })

/** The message on the page of a document that was just shared. */
export const shareToast = (page: Page) => page.getByRole('region', { name: 'Shared' })

/** Waits until the browser shows the new document, and returns its address. */
export async function sharedLink(page: Page): Promise<string> {
  await shareToast(page).waitFor()
  return page.url()
}

/** The text on the page of a document, rather than a title made of it. */
export const documentText = (page: Page, text: string) => page.locator('#text').filter({ hasText: text })

/** Presses the button and returns the address of the new document. */
export async function shareDocument(page: Page): Promise<string> {
  await shareButton(page).click()
  return sharedLink(page)
}

/** Opens one of the menus in the bar. */
export const openMenu = (page: Page, id: 'password-menu' | 'more-menu') =>
  page.locator(`#${id} > summary`).click()

/** Types the name of a language as the user does, and takes the first that is offered. */
export async function chooseLanguage(page: Page, name: string): Promise<void> {
  await page.getByLabel('Language').fill(name)
  await page.getByLabel('Language').press('Enter')
}

export const languageValue = (page: Page): Promise<string> => page.locator('select#language').inputValue()

/** Chooses encryption in the bar, and returns the password. */
export async function chooseEncryption(page: Page, ownPassword?: string): Promise<string> {
  await openMenu(page, 'password-menu')
  // Opening it turns encryption on, a moment later.
  await page.getByRole('checkbox', { name: 'Encrypt with a password', checked: true }).waitFor()
  const field = page.getByLabel('Password', { exact: true })
  if (ownPassword !== undefined) await field.fill(ownPassword)
  return field.inputValue()
}

/** Returns the text of a document as the server stores it. */
export async function fetchText(link: string): Promise<string> {
  const bytes = await (await fetch(link.replace(/\/([^/]+)$/, '/r/$1'))).arrayBuffer()
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

interface FetchedDocument {
  readonly creator: { readonly username: string } | null
  readonly timestamps: { readonly expiration: string }
  readonly settings: Readonly<Record<string, unknown>>
}

/** Returns a document as the API responds to an anonymous viewer. */
export async function fetchDocument(link: string): Promise<FetchedDocument> {
  const response = await fetch(link.replace(/\/([^/]+)$/, '/v1/document/$1'))
  return ((await response.json()) as { data: FetchedDocument }).data
}

/** Opens a file in the code editor as the "Open files" button does. */
export const openFile = (page: Page, name: string, content: string | Uint8Array) =>
  page
    .locator('input[type="file"]')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) })

/** Opens a file in the place of the text that is there. */
export async function replaceByFile(page: Page, name: string, content: string | Uint8Array): Promise<void> {
  await openFile(page, name, content)
  await page.getByRole('button', { name: 'Replace' }).click()
}

/** Pastes a text into the code editor. The browser would take seconds to insert hundreds of lines as if they were typed. */
export const paste = (page: Page, text: string) =>
  codeEditor(page).evaluate((element, text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', text)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)

/** Holds back a save of the form until the returned function is called, which lets it fail. */
export async function holdSave(page: Page): Promise<() => Promise<void>> {
  const released = Promise.withResolvers<void>()
  const isHome = (url: URL) => url.pathname === '/'
  await page.route(isHome, async (route) => {
    await released.promise
    await route.fulfill({ status: 500, body: 'no JSON' })
  })
  return async () => {
    released.resolve()
    await page.getByRole('alert').filter({ hasText: 'on our side' }).waitFor()
    await page.unroute(isHome)
  }
}

/** Clicks where something is, even if it can't be clicked. */
export async function clickAt(page: Page, box: Locator): Promise<void> {
  const { x, y, width, height } = (await box.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await page.mouse.click(x + width / 2, y + height / 2)
}

/** Returns the draft that the browser keeps; null if there is none. */
export const findDraft = (page: Page) =>
  page.evaluate(() => Object.entries(localStorage).find(([key]) => key.startsWith('regent.draft')) ?? null)

/** Holds back the page's script until the returned function is called. */
export async function holdScript(page: Page, name: string): Promise<() => void> {
  const released = Promise.withResolvers<void>()
  await page.route(`**/assets/immutable/${name}-*.js`, async (route) => {
    await released.promise
    await route.continue()
  })
  return released.resolve
}

/** Returns the text of encrypted content. Throws if the password is wrong. */
export async function decryptContent(jwe: string, password: string): Promise<string> {
  const bytes = await decryptJwe(jwe, password)
  if (!bytes) throw new Error('wrong password')
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}
