import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { CHOSEN_PASSWORD_ITERATIONS, encryptJwe } from '../../src/shared/jwe.ts'
import { addAccount } from './support/accounts.ts'
import { expectAccessible, expectComplete } from './support/browser.ts'
import {
  chooseLanguage,
  codeEditor,
  codeEditorText,
  decryptContent,
  fetchText,
  fillCodeEditor,
  languageValue,
  save,
  saveButton,
} from './support/code-editor-page.ts'
import { signIn } from './support/session.ts'
import { enterPassword, openTestSite, PASSWORD, recordRequests, waitForAlert } from './support/test-site.ts'

const site = await openTestSite()
const demo = await signIn(site.service.env, 'demo')
await addAccount(site.service.env, 'versions-bea')
const bea = await signIn(site.service.env, 'versions-bea')

const CHANGED = 'This document has changed.'
const SETTINGS = { editors: ['versions-bea'] }

/** Its own kind of browser profile: a clock stays in a profile, and profiles are reused by their options. */
const CLOCKED = { timezoneId: 'Etc/UTC' } as const
const withClock = (journey: (page: Page) => Promise<void>, options = {}) =>
  site.withPage(journey, { ...CLOCKED, ...options })

const notice = (page: Page) => page.locator('aside.toast')

/** Lets the page's time pass until it asks for news, and waits for the answer. */
async function passTime(page: Page, milliseconds: number): Promise<void> {
  const asked = page.waitForResponse((response) => response.request().method() === 'HEAD')
  await page.clock.runFor(milliseconds)
  await asked
}

/** Opens a page whose time only passes when the test says so. */
async function open(page: Page, path: string): Promise<void> {
  await page.clock.install()
  await page.goto(path)
}

/** Loads the script that asks, which the page does a moment after it is ready. */
async function startAsking(page: Page): Promise<void> {
  await page.clock.runFor(2_000)
  await page.locator('aside.toast').waitFor({ state: 'attached' })
}

describe('a document that is open in two browsers', () => {
  it('tells who may edit it what the other has saved, and shows it only when asked, at the same place', async () => {
    const lines = Array.from({ length: 400 }, (_, index) => `line ${index + 1}`).join('\n')
    const { id } = await site.create(lines)
    await withClock(async (page) => {
      await open(page, `/${id}`)
      await startAsking(page)
      await passTime(page, 11_000)
      expect(await notice(page).textContent()).toBe('')
      await page.evaluate(() => scrollTo(0, 3_000))
      await site.withPage(async (editing) => {
        await editing.goto(`/${id}/edit`)
        await fillCodeEditor(editing, lines.replace('line 1\n', 'changed\n'))
        await save(editing, id)
      }, demo)
      await passTime(page, 11_000)
      await notice(page).getByText(CHANGED).waitFor()
      expect(await page.evaluate(() => scrollY)).toBe(3_000)
      expect(await page.locator('#text').textContent()).toContain('line 1\n')
      await expectAccessible(page)
      await Promise.all([
        page.waitForEvent('load'),
        notice(page).getByRole('button', { name: 'Show new version' }).click(),
      ])
      expect(await page.locator('#text').textContent()).toContain('changed\n')
      await startAsking(page)
      await page.waitForFunction(() => scrollY === 3_000)
    }, demo)
  })

  it('asks nothing while the page is hidden, and soon after it is shown again', async () => {
    const { id } = await site.create('text')
    await withClock(async (page) => {
      await page.addInitScript(() => {
        let state: DocumentVisibilityState = 'visible'
        Object.defineProperty(document, 'visibilityState', { get: () => state })
        document.addEventListener('test:visibility', (event) => {
          state = (event as CustomEvent<DocumentVisibilityState>).detail
          document.dispatchEvent(new Event('visibilitychange'))
        })
      })
      const setVisibility = (state: string) =>
        page.evaluate(
          (detail) => document.dispatchEvent(new CustomEvent('test:visibility', { detail })),
          state,
        )
      await open(page, `/${id}`)
      await startAsking(page)
      let asked = 0
      page.on('request', (request) => {
        if (request.method() === 'HEAD') asked += 1
      })
      await setVisibility('hidden')
      await page.clock.runFor(120_000)
      expect(asked).toBe(0)
      await setVisibility('visible')
      await passTime(page, 1_500)
      expect(asked).toBe(1)
    }, demo)
  })

  it('asks nothing for a reader, whose page costs the server one request', async () => {
    const { id } = await site.create('text')
    await withClock(async (page) => {
      const asked: string[] = []
      page.on('request', (request) => {
        if (request.method() === 'HEAD') asked.push(request.url())
      })
      await open(page, `/${id}`)
      await page.clock.runFor(2_000)
      // The scripts that would ask have loaded.
      await page.locator('time.age[data-tip]').first().waitFor()
      await page.clock.runFor(120_000)
      expect(asked).toEqual([])
    })
  })

  it('says that it was deleted, and leaves the text', async () => {
    const { id } = await site.create('text')
    await withClock(async (page) => {
      await open(page, `/${id}`)
      await startAsking(page)
      await site.remove(id)
      await passTime(page, 11_000)
      await notice(page).getByText('has expired or was deleted').waitFor()
      expect(await page.locator('#text').textContent()).toBe('text')
      await notice(page).getByRole('button', { name: 'Dismiss' }).click()
      await expect.poll(() => notice(page).isVisible()).toBe(false)
    }, demo)
  })

  it.each([
    ['asking for a password that was typed', true],
    ['the password of its link', false],
  ])('shows the new version of an encrypted document by %s', async (_, isTyped) => {
    const { id } = await site.createEncrypted('before', PASSWORD)
    await withClock(async (page) => {
      await open(page, isTyped ? `/${id}` : `/${id}#${encodeURIComponent(PASSWORD)}`)
      if (isTyped) await enterPassword(page, PASSWORD)
      await page.locator('#text').waitFor()
      await startAsking(page)
      await site.edit(id, { content: 'after', password: PASSWORD })
      await passTime(page, 11_000)
      await notice(page).getByRole('button', { name: 'Show new version' }).click()
      if (isTyped) await enterPassword(page, PASSWORD)
      await page.locator('#text', { hasText: 'after' }).waitFor()
      expect(page.url()).not.toContain('#')
      const stored = await page.evaluate(() => JSON.stringify({ ...sessionStorage }))
      expect(stored.includes('wörd')).toBe(!isTyped)
    }, demo)
  })
})

describe('a document that two people edit', () => {
  it('loads the other’s version into a form without changes', async () => {
    const { id } = await site.create('one\ntwo', SETTINGS)
    await withClock(async (page) => {
      await open(page, `/${id}/edit`)
      await codeEditor(page).waitFor()
      await startAsking(page)
      await site.edit(id, { content: 'one\ntwo\nthree', settings: { language: 'python' } })
      await passTime(page, 7_000)
      await notice(page).getByText('demo has saved a new version.').waitFor()
      expect(await codeEditorText(page)).toBe('one\ntwo')
      await notice(page).getByRole('button', { name: 'Load it' }).click()
      await notice(page).getByText('The new version is loaded.').waitFor()
      expect(await codeEditorText(page)).toBe('one\ntwo\nthree')
      expect(await languageValue(page)).toBe('python')
      await expectComplete(page)
      await fillCodeEditor(page, 'one\ntwo\nthree\nfour')
      await save(page, id)
    }, bea)
    expect((await site.read(id)).content).toBe('one\ntwo\nthree\nfour')
  })

  it('reads nothing for somebody who is no editor any more, of a document that burns now', async () => {
    const { id } = await site.create('one', SETTINGS)
    await withClock(async (page) => {
      await open(page, `/${id}/edit`)
      await codeEditor(page).waitFor()
      await startAsking(page)
      await site.edit(id, { content: 'two' })
      await passTime(page, 7_000)
      const load = notice(page).getByRole('button', { name: 'Load it' })
      await load.waitFor()
      await site.edit(id, { content: 'three', settings: { instant_delete: true, editors: [] } })
      const asked = page.waitForResponse((response) => response.url().endsWith('/revisions'))
      await load.click()
      expect((await asked).status()).toBe(404)
      await expectComplete(page)
    }, bea)
    expect((await site.read(id)).content).toBe('three')
  })

  it('loses nothing that was typed', async () => {
    const { id } = await site.create('one\ntwo\nthree', SETTINGS)
    await withClock(async (page) => {
      await open(page, `/${id}/edit`)
      await fillCodeEditor(page, 'mine\ntwo\nthree')
      await startAsking(page)
      await site.edit(id, { content: 'one\ntwo\ntheirs' })
      await passTime(page, 7_000)
      await notice(page).getByText('Your changes are still here.').waitFor()
      expect(await codeEditorText(page)).toBe('mine\ntwo\nthree')
      await notice(page).getByRole('button', { name: 'Show changes' }).click()
      await waitForAlert(page, 'their changes are already in your text')
      expect(await notice(page).textContent()).toBe('')
      expect(await codeEditorText(page)).toBe('mine\ntwo\ntheirs')
      await save(page, id)
    }, bea)
    expect((await site.read(id)).content).toBe('mine\ntwo\ntheirs')
  })
})

const withPage = (journey: (page: Page) => Promise<void>): Promise<void> => site.withPage(journey, demo)

const fetchDocument = (id: string) => fetchText(`${site.service.base}/${id}`)

const LINES = 'one\ntwo\nthree\nfour\nfive'

/** Opens a document for editing. Then someone else changes it by the API. */
async function editDuring(page: Page, id: string, change: object): Promise<void> {
  await page.goto(`/${id}/edit`)
  await codeEditor(page).waitFor()
  await site.edit(id, change)
}

describe('a document that someone else has saved', () => {
  it('gets both changes once it is saved again', async () => {
    const { id } = await site.create(LINES.replaceAll('\n', '\r\n'))
    await withPage(async (page) => {
      await editDuring(page, id, { content: `${LINES}\nsix`.replaceAll('\n', '\r\n') })
      await fillCodeEditor(page, LINES.replace('one', 'ONE'))
      await saveButton(page).click()
      await waitForAlert(page, 'their changes are already in your text')
      expect(await fetchDocument(id)).toBe(`${LINES}\nsix`.replaceAll('\n', '\r\n'))
      expect(await codeEditorText(page)).toBe(`${LINES.replace('one', 'ONE')}\nsix`)
      expect(await codeEditor(page).locator('del').allTextContents()).toEqual(['one'])
      await save(page, id)
    })
    expect(await fetchDocument(id)).toBe(`${LINES.replace('one', 'ONE')}\nsix`.replaceAll('\n', '\r\n'))
  })

  it('offers a choice for each line that both changed', async () => {
    const { id } = await site.create(LINES)
    await withPage(async (page) => {
      await editDuring(page, id, { content: LINES.replace('one', 'theirs').replace('five', 'theirs') })
      await fillCodeEditor(page, LINES.replace('one', 'mine').replace('five', 'mine'))
      await saveButton(page).click()
      await waitForAlert(page, 'choose between their version, crossed out, and yours')
      await page.getByRole('button', { name: 'Use theirs' }).first().click()
      expect(await codeEditorText(page)).toBe(LINES.replace('one', 'theirs').replace('five', 'mine'))
      const keep = page.getByRole('button', { name: 'Keep mine' })
      await keep.focus()
      await page.keyboard.press('Enter')
      await keep.waitFor({ state: 'detached' })
      await codeEditor(page).press('Control+Enter')
      await page.waitForURL(`**/${id}`)
    })
    expect(await fetchDocument(id)).toBe(LINES.replace('one', 'theirs').replace('five', 'mine'))
  })

  it('keeps their settings, except those that both changed', async () => {
    const { id } = await site.create('text')
    await withPage(async (page) => {
      await editDuring(page, id, { settings: { language: 'python', public: true } })
      await chooseLanguage(page, 'rust')
      await saveButton(page).click()
      await waitForAlert(page, 'You both changed “Language”')
      expect(await page.locator('#visibility').inputValue()).toBe('public')
      expect(await languageValue(page)).toBe('rust')
      await save(page, id)
    })
    expect((await site.read(id)).settings).toMatchObject({ language: 'rust', public: true })
  })
})

describe('an encrypted document that someone else has saved', () => {
  it('is compared in the browser', async () => {
    const { id } = await site.createEncrypted(LINES, PASSWORD)
    await withPage(async (page) => {
      const sent = recordRequests(page)
      await page.goto(`/${id}/edit`)
      await enterPassword(page, PASSWORD)
      await fillCodeEditor(page, LINES.replace('one', 'mine'))
      await site.edit(id, { content: LINES.replace('five', 'theirs'), password: PASSWORD })
      await saveButton(page).click()
      await waitForAlert(page, 'demo saved first')
      expect(await codeEditorText(page)).toBe(LINES.replace('one', 'mine').replace('five', 'theirs'))
      await save(page, id)
      for (const secret of ['mine', 'theirs', PASSWORD]) expect(sent.join('\n')).not.toContain(secret)
    })
    const { content } = await site.read(id)
    expect(await decryptContent(content, PASSWORD)).toBe(
      LINES.replace('one', 'mine').replace('five', 'theirs'),
    )
  })

  it('is not overwritten if it is compared while mine is being encrypted', async () => {
    const { id } = await site.createEncrypted(LINES, PASSWORD)
    await withClock(async (page) => {
      await open(page, `/${id}/edit`)
      await enterPassword(page, PASSWORD)
      await fillCodeEditor(page, LINES.replace('one', 'mine'))
      await startAsking(page)
      await site.edit(id, { content: LINES.replace('five', 'theirs'), password: PASSWORD })
      await passTime(page, 7_000)
      const shown = notice(page).getByRole('button', { name: 'Show changes' })
      await shown.waitFor()
      await page.evaluate(() => {
        const { postMessage } = Worker.prototype
        Worker.prototype.postMessage = function (this: Worker, message: { name?: string }) {
          const send = () => postMessage.call(this, message)
          if (message.name === 'encrypt') document.addEventListener('test:release', send)
          else send()
        }
      })
      await saveButton(page).click()
      await shown.click()
      await waitForAlert(page, 'their changes are already in your text')
      await page.evaluate(() => document.dispatchEvent(new Event('test:release')))
      await waitForAlert(page, 'saved first')
      await page.evaluate(() => document.dispatchEvent(new Event('test:release')))
    }, demo)
    const { content } = await site.read(id)
    expect(await decryptContent(content, PASSWORD)).toBe(LINES.replace('five', 'theirs'))
  })

  it('is not overwritten if its password has changed', async () => {
    const { id } = await site.createEncrypted('text', PASSWORD)
    await withPage(async (page) => {
      await page.goto(`/${id}/edit`)
      await enterPassword(page, PASSWORD)
      await fillCodeEditor(page, 'mine')
      const theirs = new TextEncoder().encode('theirs')
      const content = await encryptJwe(theirs, 'another', CHOSEN_PASSWORD_ITERATIONS)
      await site.edit(id, { content, settings: { client_encrypted: true } })
      for (let attempts = 0; attempts < 2; attempts++) {
        await saveButton(page).click()
        await waitForAlert(page, 'Someone changed this document’s password')
      }
      expect(await codeEditorText(page)).toBe('mine')
    })
    const { content } = await site.read(id)
    expect(await decryptContent(content, 'another')).toBe('theirs')
  })
})
