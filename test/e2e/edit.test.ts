import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deriveClaimToken } from '../../src/shared/claim-token.ts'
import {
  CHOSEN_PASSWORD_ITERATIONS,
  decryptJwe,
  encryptJwe,
  GENERATED_PASSWORD_ITERATIONS,
  parseJwe,
} from '../../src/shared/jwe.ts'
import { addAccount } from './support/accounts.ts'
import { expectComplete } from './support/browser.ts'
import { alertWith, enter, PASSWORD, record, type Stage, startStage } from './support/secret.ts'
import { sessionCookie, signIn } from './support/session.ts'

let stage: Stage
let demo: Awaited<ReturnType<typeof signIn>>

beforeAll(async () => {
  stage = await startStage()
  demo = await signIn(stage.service.folder, 'demo')
})

afterAll(() => stage.end())

const withPage = (journey: (page: Page) => Promise<void>): Promise<void> => stage.withPage(journey, demo)

const box = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })

const saveButton = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })

const textOf = async (id: string): Promise<string> => (await fetch(`${stage.service.base}/r/${id}`)).text()

/** What an editor has, as it shows it. */
const written = async (page: Page): Promise<string> =>
  (await box(page).locator('.cm-line').allTextContents()).join('\n')

const LINES = 'one\ntwo\nthree\nfour\nfive'

/** Opens the editor of a document; then somebody else changes that by the API. */
async function editWhile(page: Page, id: string, change: object): Promise<void> {
  await page.goto(`/${id}/edit`)
  await box(page).waitFor()
  await stage.edit(id, change)
}

describe('a document', () => {
  it('that somebody else saved meanwhile has what both wrote, once it is saved again', async () => {
    const { id } = await stage.create(LINES.replaceAll('\n', '\r\n'), {})
    await withPage(async (page) => {
      await editWhile(page, id, { content: `${LINES}\nsix`.replaceAll('\n', '\r\n') })
      await box(page).fill(LINES.replace('one', 'ONE'))
      await saveButton(page).click()
      await alertWith(page, 'What they changed elsewhere is in your text already')
      expect(await textOf(id)).toBe(`${LINES}\nsix`.replaceAll('\n', '\r\n'))
      expect(await written(page)).toBe(`${LINES.replace('one', 'ONE')}\nsix`)
      expect(await box(page).locator('del').allTextContents()).toEqual(['one'])
      await expectComplete(page)
      await saveButton(page).click()
      await page.waitForURL(`**/${id}`)
    })
    expect(await textOf(id)).toBe(`${LINES.replace('one', 'ONE')}\nsix`.replaceAll('\n', '\r\n'))
  })

  it('that both changed in one line is theirs or mine, as whoever saves last chooses', async () => {
    const { id } = await stage.create(LINES, {})
    await withPage(async (page) => {
      await editWhile(page, id, { content: LINES.replace('one', 'theirs').replace('five', 'theirs') })
      await box(page).fill(LINES.replace('one', 'mine').replace('five', 'mine'))
      await saveButton(page).click()
      await alertWith(page, 'Compare')
      await page.getByRole('button', { name: 'Take theirs' }).first().click()
      expect(await written(page)).toBe(LINES.replace('one', 'theirs').replace('five', 'mine'))
      const keep = page.getByRole('button', { name: 'Keep mine' })
      await keep.focus()
      await page.keyboard.press('Enter')
      await keep.waitFor({ state: 'detached' })
      await box(page).press('Control+Enter')
      await page.waitForURL(`**/${id}`)
    })
    expect(await textOf(id)).toBe(LINES.replace('one', 'theirs').replace('five', 'mine'))
  })

  it('keeps the settings that somebody else chose meanwhile, unless both chose', async () => {
    const { id } = await stage.create('text', {})
    await withPage(async (page) => {
      await editWhile(page, id, { settings: { language: 'python', public: true } })
      await page.getByLabel('Language').fill('rust')
      await saveButton(page).click()
      await alertWith(page, 'Both of you have changed the language')
      expect(await page.getByLabel('Who may find it').inputValue()).toBe('public')
      expect(await page.getByLabel('Language').inputValue()).toBe('rust')
      await saveButton(page).click()
      await page.waitForURL(`**/${id}`)
    })
    expect((await stage.read(id)).settings).toMatchObject({ language: 'rust', public: true })
  })

  it('expires at the date that is chosen', async () => {
    const { id } = await stage.create('text', {})
    await withPage(async (page) => {
      await page.goto(`/${id}/edit`)
      await page.getByLabel('Expires').selectOption('At a date…')
      await page.getByLabel('Date and time').fill('2030-01-02T03:04')
      await saveButton(page).click()
      await page.waitForURL(`**/${id}`)
      const at = await page.evaluate(() => new Date('2030-01-02T03:04').toISOString())
      expect((await stage.read(id)).timestamps.expiration).toBe(at)
    })
  })

  it('whose saving fails keeps what was written, and is saved on another try', async () => {
    const { id } = await stage.create('text', {})
    await withPage(async (page) => {
      await page.goto(`/${id}/edit`)
      await box(page).fill('changed')
      await page.route('**/v1/document', (route) => route.abort())
      await saveButton(page).click()
      await alertWith(page, 'The service can not be reached')
      await page.unroute('**/v1/document')
      await page.route('**/v1/document', (route) => route.fulfill({ status: 503, body: '{}' }))
      await saveButton(page).click()
      await alertWith(page, 'The fault is ours')
      expect(await written(page)).toBe('changed')
      await page.unroute('**/v1/document')
      await saveButton(page).click()
      await page.waitForURL(`**/${id}`)
    })
    expect(await textOf(id)).toBe('changed')
  })

  it('that was saved though the answer was lost is not taken for somebody else’s', async () => {
    const { id } = await stage.create('text', {})
    await withPage(async (page) => {
      await page.goto(`/${id}/edit`)
      await box(page).fill('changed')
      await page.route('**/v1/document', async (route) => {
        await route.fetch()
        await route.abort()
      })
      await saveButton(page).click()
      await alertWith(page, 'The service can not be reached')
      expect(await textOf(id)).toBe('changed')
      await page.unroute('**/v1/document')
      await saveButton(page).click()
      await page.waitForURL(`**/${id}`)
    })
  })

  it('that is gone, or of a session that is over, is not lost from the page', async () => {
    const { id } = await stage.create('text', {})
    await withPage(async (page) => {
      await page.goto(`/${id}/edit`)
      await box(page).fill('changed')
      await page.context().clearCookies()
      await saveButton(page).click()
      await alertWith(page, 'You are not signed in any more')
      const cookie = await sessionCookie(stage.service.folder, 'demo')
      await page.context().addCookies([{ ...cookie, url: stage.service.base }])
      await stage.remove(id)
      await saveButton(page).click()
      await alertWith(page, 'This document is gone')
      expect(await written(page)).toBe('changed')
    })
  })

  it('that is written to before the editor has come keeps what was written', async () => {
    const { id } = await stage.create('a\r\nb\r\n', {})
    await withPage(async (page) => {
      const scripts = Promise.withResolvers<void>()
      await page.route('**/assets/immutable/edit-*.js', async (route) => {
        await scripts.promise
        await route.continue()
      })
      await page.goto(`/${id}/edit`, { waitUntil: 'commit' })
      const textarea = page.locator('textarea#content')
      await textarea.fill('a\nwritten early\n')
      scripts.resolve()
      await box(page).locator('.cm-line').first().waitFor()
      expect(await written(page)).toBe('a\nwritten early\n')
      // Whoever was about to write there finds the editor instead, not a field that is hidden.
      expect(await textarea.count()).toBe(0)
      await saveButton(page).click()
      await page.waitForURL(`**/${id}`)
    })
    expect(await textOf(id)).toBe('a\r\nwritten early\r\n')
  })

  it('is not left without a question once something was written', async () => {
    const { id } = await stage.create('text', {})
    await withPage(async (page) => {
      await page.goto(`/${id}/edit`)
      await box(page).fill('changed')
      const asked = page.waitForEvent('dialog')
      const leaving = page.getByRole('link', { name: 'Back to the document' }).click()
      const dialog = await asked
      expect(dialog.type()).toBe('beforeunload')
      await dialog.dismiss()
      await leaving
      expect(await written(page)).toBe('changed')
      await box(page).fill('text')
      await page.getByRole('link', { name: 'Back to the document' }).click()
      await page.waitForURL(`**/${id}`)
    })
  })

  it('is edited by somebody whose address is not confirmed, but for its settings', async () => {
    await addAccount(stage.service.folder, 'Newcomer', { confirmed: false })
    const { id } = await stage.createSealed('text', PASSWORD, { editors: ['Newcomer'] })
    const newcomer = await signIn(stage.service.folder, 'Newcomer')
    await stage.withPage(async (page) => {
      await page.goto(`/${id}/edit`)
      await enter(page, PASSWORD)
      await box(page).fill('changed')
      expect(await page.getByLabel('Language').count()).toBe(0)
      await expectComplete(page)
      await saveButton(page).click()
      await page.getByRole('heading', { name: id, exact: true }).waitFor()
      await page.getByText('changed').waitFor()
    }, newcomer)
  })
})

describe('an encrypted document', () => {
  const envelope = async (id: string): Promise<string> => (await stage.read(id)).content

  const opened = async (id: string, password: string): Promise<string> => {
    const bytes = await decryptJwe(await envelope(id), password)
    if (!bytes) throw new Error('not its password')
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  }

  it('is edited in the browser: neither text nor password leaves it', async () => {
    const { id } = await stage.createSealed('first\r\n\0hidden\r\n', PASSWORD)
    await withPage(async (page) => {
      const sent = record(page)
      await page.goto(`/${id}`)
      await enter(page, PASSWORD)
      // What was typed once is not asked for again.
      await page.getByRole('link', { name: 'Edit', exact: true }).click()
      await box(page).waitFor()
      expect(page.url()).toBe(`${stage.service.base}/${id}/edit`)
      await expectComplete(page)
      await box(page).press('Control+End')
      await page.keyboard.type('more 😀')
      await saveButton(page).click()
      await page.getByRole('status').filter({ hasText: 'Opened in your browser' }).waitFor()
      await page.getByText('more 😀').waitFor()
      expect(page.url()).toBe(`${stage.service.base}/${id}`)
      for (const secret of ['hidden', 'more', PASSWORD, encodeURIComponent(PASSWORD)])
        expect(sent.join('\n')).not.toContain(secret)
    })
    expect(await opened(id, PASSWORD)).toBe('first\r\n\0hidden\r\nmore 😀')
    expect(parseJwe(await envelope(id)).header.iterations).toBe(CHOSEN_PASSWORD_ITERATIONS)
  })

  it('of a generated password stays as cheap to open', async () => {
    const { id, password = '' } = await stage.create('text', { encrypted: true })
    await withPage(async (page) => {
      await page.goto(`/${id}/edit`)
      await enter(page, 'wrong')
      await alertWith(page, 'This is not the password')
      await enter(page, password)
      await box(page).fill('changed')
      await saveButton(page).click()
      await page.getByRole('heading', { name: id, exact: true }).waitFor()
    })
    expect(await opened(id, password)).toBe('changed')
    expect(parseJwe(await envelope(id)).header.iterations).toBe(GENERATED_PASSWORD_ITERATIONS)
  })

  it('that becomes one that is read once can be claimed by its password', async () => {
    const { id } = await stage.createSealed('all\r\nkinds\rof\nbreaks', PASSWORD)
    await withPage(async (page) => {
      await page.goto(`/${id}/edit#${encodeURIComponent(PASSWORD)}`)
      await page.getByText('Its line breaks are of several kinds').waitFor()
      await page.getByLabel('Delete it when its first reader has seen it').check()
      await saveButton(page).click()
      await page.getByRole('heading', { name: id, exact: true }).waitFor()
    })
    expect(await opened(id, PASSWORD)).toBe('all\r\nkinds\rof\nbreaks')
    const claim = `${stage.service.base}/v1/document/${id}/claim`
    const { data } = (await (await fetch(claim)).json()) as { data: { header: string } }
    const token = await deriveClaimToken(PASSWORD, parseJwe(await envelope(id)).header)
    expect(parseJwe(await envelope(id)).header.encoded).toBe(data.header)
    const body = JSON.stringify({ token })
    const headers = { 'Content-Type': 'application/json' }
    expect((await fetch(claim, { method: 'POST', headers, body })).status).toBe(200)
  })

  it('that somebody else saved meanwhile is compared in the browser', async () => {
    const { id } = await stage.createSealed(LINES, PASSWORD)
    await withPage(async (page) => {
      const sent = record(page)
      await page.goto(`/${id}/edit`)
      await enter(page, PASSWORD)
      await box(page).fill(LINES.replace('one', 'mine'))
      await stage.edit(id, { content: LINES.replace('five', 'theirs'), password: PASSWORD })
      await saveButton(page).click()
      await alertWith(page, 'Somebody else saved this document')
      expect(await written(page)).toBe(LINES.replace('one', 'mine').replace('five', 'theirs'))
      await saveButton(page).click()
      await page.getByRole('heading', { name: id, exact: true }).waitFor()
      for (const secret of ['mine', 'theirs', PASSWORD]) expect(sent.join('\n')).not.toContain(secret)
    })
    expect(await opened(id, PASSWORD)).toBe(LINES.replace('one', 'mine').replace('five', 'theirs'))
  })

  it('that has another password meanwhile is not saved over unseen', async () => {
    const { id } = await stage.createSealed('text', PASSWORD)
    await withPage(async (page) => {
      await page.goto(`/${id}/edit`)
      await enter(page, PASSWORD)
      await box(page).fill('mine')
      const content = await encryptJwe(
        new TextEncoder().encode('theirs'),
        'another',
        CHOSEN_PASSWORD_ITERATIONS,
      )
      await stage.edit(id, { content, settings: { client_encrypted: true } })
      await saveButton(page).click()
      await alertWith(page, 'under another password')
      await saveButton(page).click()
      await alertWith(page, 'under another password')
      expect(await written(page)).toBe('mine')
    })
    expect(await opened(id, 'another')).toBe('theirs')
  })

  it('has its settings changed without its password', async () => {
    const { id } = await stage.createSealed('text', PASSWORD)
    await withPage(async (page) => {
      await page.goto(`/${id}/edit`)
      await page.getByLabel('Who may find it').selectOption('public')
      await page.getByRole('button', { name: 'Save the settings' }).click()
      await page.waitForURL(`**/${id}`)
    })
    expect(await opened(id, PASSWORD)).toBe('text')
  })
})
