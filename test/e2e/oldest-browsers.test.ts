import { expect, it } from 'vitest'
import { startOwnBrowser } from './support/browser.ts'
import {
  chooseEncryption,
  chooseLanguage,
  decryptContent,
  fetchText,
  fillCodeEditor,
  openCreatePage,
  openMenu,
  plainTextBox,
  shareButton,
  shareDocument,
} from './support/code-editor-page.ts'
import { enterPassword, openTestSite } from './support/test-site.ts'
import { openFind } from './support/viewer-page.ts'

const site = await openTestSite()

/** What at least one of the oldest supported browsers lacks: Chrome 123, Firefox 125 and Safari 17.5. */
const removeWhatTheyLack = () => {
  const remove = (owner: object, ...names: string[]) => {
    for (const name of names) Reflect.deleteProperty(owner, name)
  }
  const prototype = (name: string): object => Reflect.get(globalThis, name)?.prototype ?? {}
  remove(
    globalThis,
    'ClipboardItem',
    'Highlight',
    'Iterator',
    'navigation',
    'requestIdleCallback',
    'scheduler',
  )
  remove(globalThis, 'EditContext', 'CloseWatcher', 'Float16Array')
  remove(CSS, 'highlights')
  remove(URL, 'parse')
  remove(Promise, 'try')
  remove(prototype('String'), 'isWellFormed', 'toWellFormed')
  remove(RegExp, 'escape')
  remove(Uint8Array, 'fromBase64', 'fromHex')
  remove(prototype('Uint8Array'), 'toBase64', 'toHex', 'setFromBase64', 'setFromHex')
  remove(
    prototype('Set'),
    'difference',
    'intersection',
    'union',
    'isSubsetOf',
    'isSupersetOf',
    'isDisjointFrom',
  )
  remove(prototype('Set'), 'symmetricDifference')
  remove(
    Object.getPrototypeOf(Object.getPrototypeOf([].values())),
    'map',
    'filter',
    'take',
    'drop',
    'toArray',
  )
  remove(
    Object.getPrototypeOf(Object.getPrototypeOf([].values())),
    'flatMap',
    'reduce',
    'forEach',
    'some',
    'every',
    'find',
  )
  remove(prototype('HTMLButtonElement'), 'command', 'commandForElement')
  remove(prototype('Document'), 'startViewTransition', 'caretPositionFromPoint')
  remove(prototype('Element'), 'moveBefore', 'getHTML', 'computedStyleMap')
  remove(prototype('Selection'), 'getComposedRanges')
  remove(prototype('HTMLDialogElement'), 'requestClose')
}

it('the oldest browsers share, encrypt, read and search', () =>
  site.withPage(
    async (page) => {
      await page.addInitScript(removeWhatTheyLack)
      await openCreatePage(page)
      await fillCodeEditor(page, 'const needle = 1\n')
      const code = await shareDocument(page)
      expect(await fetchText(code)).toBe('const needle = 1\n')
      await page.reload()
      await (await openFind(page)).fill('needle')
      await page.locator('#text-status').getByText('1 of 1', { exact: true }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.locator('#more').waitFor()

      await openCreatePage(page)
      await fillCodeEditor(page, '# Secret plan\n\nSee ![a map](https://maps.example/plan.png).\n')
      await chooseLanguage(page, 'markdown')
      await shareDocument(page)
      await page.reload()
      await page.getByText('a map (image on maps.example)').waitFor()

      await openCreatePage(page)
      await fillCodeEditor(page, 'a secret')
      await chooseEncryption(page, 'a password')
      const encrypted = await fetchText((await shareDocument(page)).replace(/#.*/, ''))
      expect(await decryptContent(encrypted, 'a password')).toBe('a secret')
    },
    // Tabs are reused by options, and this one is changed for good.
    { locale: 'en-AU' },
  ))

it('a browser that is older gets the pages as without scripts', async () => {
  // Not the browser of the other tests: it would report the errors that stop the scripts.
  const browser = await startOwnBrowser()
  try {
    const page = await browser.newPage({ baseURL: site.service.base })
    await page.addInitScript(() => {
      Reflect.deleteProperty(Promise, 'withResolvers')
      Reflect.deleteProperty(HTMLElement.prototype, 'showPopover')
    })
    const errors: string[] = []
    page.on('pageerror', ({ message }) => errors.push(message))
    await page.goto('/')
    await plainTextBox(page).fill('# a text\n')
    await openMenu(page, 'password-menu')
    await page.getByLabel('Encryption').selectOption('own')
    await page.getByLabel('Password', { exact: true }).fill('a password')
    await shareButton(page).click()
    await page.getByRole('link', { name: 'Open document' }).click()
    await page.getByText('The password is sent to the server').waitFor()
    await enterPassword(page, 'a password')
    await page.locator('#text').filter({ hasText: '# a text' }).waitFor()
    for (const control of await page.locator('.scripted').all()) expect(await control.isVisible()).toBe(false)
    expect(errors.length).toBeGreaterThan(0)
  } finally {
    await browser.close()
  }
})
