import { expect, it } from 'vitest'
import {
  chooseEncryption,
  chooseLanguage,
  codeEditor,
  decryptContent,
  fetchText,
  openCreatePage,
  shareDocument,
} from './support/code-editor-page.ts'
import { openTestSite } from './support/test-site.ts'
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
      await codeEditor(page).fill('const needle = 1\n')
      const code = await shareDocument(page)
      expect(await fetchText(code)).toBe('const needle = 1\n')
      await page.reload()
      await (await openFind(page)).fill('needle')
      await page.locator('#text-status').getByText('1 of 1', { exact: true }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.locator('#more').waitFor()

      await openCreatePage(page)
      await codeEditor(page).fill('# Secret plan\n\nSee ![a map](https://maps.example/plan.png).\n')
      await chooseLanguage(page, 'markdown')
      await shareDocument(page)
      await page.reload()
      await page.getByText('a map (image on maps.example)').waitFor()

      await openCreatePage(page)
      await codeEditor(page).fill('a secret')
      await chooseEncryption(page, 'a password')
      const encrypted = await fetchText((await shareDocument(page)).replace(/#.*/, ''))
      expect(await decryptContent(encrypted, 'a password')).toBe('a secret')
    },
    // Tabs are reused by options, and this one is changed for good.
    { locale: 'en-AU' },
  ))
