import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  CHOSEN_PASSWORD_ITERATIONS,
  deriveClaimToken,
  GENERATED_PASSWORD_ITERATIONS,
  parseJwe,
} from '../../../src/shared/jwe.ts'
import { addAccount } from '../support/accounts.ts'
import { expectComplete } from '../support/browser.ts'
import {
  codeEditor,
  codeEditorText,
  decryptContent,
  documentText,
  fetchText,
  fillCodeEditor,
  holdScript,
  openMenu,
  save,
  saveButton,
} from '../support/code-editor-page.ts'
import { sessionCookie, signIn } from '../support/session.ts'
import { enterPassword, openTestSite, PASSWORD, recordRequests, waitForAlert } from '../support/test-site.ts'

const site = await openTestSite()
const demo = await signIn(site.service.env, 'demo')

const withPage = (journey: (page: Page) => Promise<void>): Promise<void> => site.withPage(journey, demo)

const fetchDocument = (id: string) => fetchText(`${site.service.base}/${id}`)

describe.each([
  ['a desktop', { viewport: { width: 1280, height: 720 } }],
  ['a phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
])('on %s', (_, screen) => {
  it('a long text is edited with the bar of the page for new documents, which stays in sight', async () => {
    const lines = Array.from({ length: 500 }, (_, index) => `line ${index}`).join('\n')
    const { id } = await site.create(lines, { title: 'notes.txt' })
    await site.withPage(
      async (page) => {
        await page.goto(`/${id}/edit`)
        await codeEditor(page).waitFor()
        const controls = [
          saveButton(page),
          page.getByLabel('Title or file name'),
          page.getByLabel('Language'),
          page.getByLabel('Expires', { exact: true }),
          page.locator('#more-menu > summary'),
        ]
        const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
        for (const control of controls) {
          const box = await control.boundingBox()
          if (!box) throw new Error('a control is missing')
          expect(box.x).toBeGreaterThanOrEqual(0)
          expect(box.x + box.width).toBeLessThanOrEqual(width)
          expect(box.y + box.height).toBeLessThanOrEqual(height / 4)
        }
        expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0)
        await openMenu(page, 'more-menu')
        await page.locator('.bar-panel', { hasText: 'History' }).waitFor()
        await page.getByRole('link', { name: 'Editors' }).waitFor()
        await page.getByRole('link', { name: 'Delete document' }).waitFor()
        await expectComplete(page)
      },
      { ...screen, ...demo },
    )
  })
})

describe('the page for editing', () => {
  it('sets an expiry date', async () => {
    const { id } = await site.create('text')
    await withPage(async (page) => {
      await page.goto(`/${id}/edit`)
      await page.getByLabel('Expires').selectOption('Date…')
      await page.getByLabel('Date and time').fill('2030-01-02T03:04')
      await save(page, id)
      const at = await page.evaluate(() => new Date('2030-01-02T03:04').toISOString())
      expect((await site.read(id)).timestamps.expiration).toBe(at)
    })
  })

  it('makes an earlier version the current one', async () => {
    const { id } = await site.create('first\r\nversion')
    await site.edit(id, { content: 'second' })
    await withPage(async (page) => {
      await page.goto(`/${id}/edit?version=1`)
      await page.getByText('This is version 1').waitFor()
      await codeEditor(page).waitFor()
      await save(page, id)
    })
    expect(await fetchDocument(id)).toBe('first\r\nversion')
  })

  it('recognizes its own change if it was saved but the response was lost', async () => {
    const { id } = await site.create('text')
    await withPage(async (page) => {
      await page.goto(`/${id}/edit`)
      await fillCodeEditor(page, 'changed')
      await page.route('**/v1/document', async (route) => {
        await route.fetch()
        await route.abort()
      })
      await saveButton(page).click()
      await waitForAlert(page, 'Can’t reach the server')
      expect(await fetchDocument(id)).toBe('changed')
      await page.unroute('**/v1/document')
      await save(page, id)
    })
  })

  it('keeps the text if the session has ended or the document is gone', async () => {
    const { id } = await site.create('text')
    await withPage(async (page) => {
      await page.goto(`/${id}/edit`)
      await fillCodeEditor(page, 'changed')
      await page.context().clearCookies()
      await saveButton(page).click()
      await waitForAlert(page, 'You’ve been signed out')
      const cookie = await sessionCookie(site.service.env, 'demo')
      await page.context().addCookies([{ ...cookie, url: site.service.base }])
      await site.remove(id)
      await saveButton(page).click()
      await waitForAlert(page, 'This document no longer exists')
      expect(await codeEditorText(page)).toBe('changed')
    })
  })

  it('keeps what was typed before its script ran', async () => {
    const { id } = await site.create('a\r\nb\r\n')
    await withPage(async (page) => {
      const release = await holdScript(page, 'editor-page')
      await page.goto(`/${id}/edit`, { waitUntil: 'commit' })
      const textarea = page.locator('textarea#content')
      await textarea.fill('a\nwritten early\n')
      release()
      await codeEditor(page).locator('.cm-line').first().waitFor()
      expect(await codeEditorText(page)).toBe('a\nwritten early\n')
      // The code editor replaces the textarea rather than hiding it.
      expect(await textarea.count()).toBe(0)
      await save(page, id)
    })
    expect(await fetchDocument(id)).toBe('a\r\nwritten early\r\n')
  })

  it('asks before it is left with unsaved changes', async () => {
    const { id } = await site.create('text')
    await withPage(async (page) => {
      await page.goto(`/${id}/edit`)
      await fillCodeEditor(page, 'changed')
      const back = page.getByRole('link', { name: 'Back to the document' })
      const asked = page.waitForEvent('dialog')
      const leaving = back.click()
      const dialog = await asked
      expect(dialog.type()).toBe('beforeunload')
      await dialog.dismiss()
      await leaving
      expect(await codeEditorText(page)).toBe('changed')
      await fillCodeEditor(page, 'text')
      await back.click()
      await page.waitForURL(`**/${id}`)
    })
  })

  it('offers no settings to an account whose email address is not confirmed', async () => {
    await addAccount(site.service.env, 'Unconfirmed-Editor', { confirmed: false })
    const { id } = await site.createEncrypted('text', PASSWORD, { editors: ['Unconfirmed-Editor'] })
    const newcomer = await signIn(site.service.env, 'Unconfirmed-Editor')
    await site.withPage(async (page) => {
      await page.goto(`/${id}/edit`)
      await enterPassword(page, PASSWORD)
      await fillCodeEditor(page, 'changed')
      expect(await page.getByLabel('Language').count()).toBe(0)
      await expectComplete(page)
      await save(page, id)
      await enterPassword(page, PASSWORD)
      await documentText(page, 'changed').waitFor()
    }, newcomer)
  })
})

await site.signIn('Grace-Hopper')

const getEntityTag = async (id: string): Promise<string | null> =>
  (await fetch(`${site.service.base}/v1/document/${id}`, { method: 'HEAD' })).headers.get('ETag')

const TEXTS = ['\r\n\r\none 😀\r\n</textarea>\r\n', '\n\na\rb\r\nc\n', '\uFEFFa\0b']

describe('saving without a change', () => {
  it.each([
    ['with scripts', {}],
    ['without scripts', { javaScriptEnabled: false }],
  ])('keeps line breaks, emoji, markup and control characters: %s', async (_, options) => {
    const documents = await Promise.all(TEXTS.map((text) => site.create(text)))
    const getEntityTags = () => Promise.all(documents.map(({ id }) => getEntityTag(id)))
    const before = await getEntityTags()
    await site.withPage(
      async (page) => {
        for (const { id } of documents) {
          await page.goto(`/${id}/edit`)
          await save(page, id)
        }
      },
      { ...options, ...demo },
    )
    expect(await getEntityTags()).toEqual(before)
  })

  it('keeps a long text', async () => {
    const text = `<&>"'`.repeat(1000).concat('\r\n').repeat(400)
    const { id } = await site.create(text)
    const before = await getEntityTag(id)
    await site.withPage(async (page) => {
      await page.goto(`/${id}/edit`)
      await save(page, id)
    }, demo)
    expect(await getEntityTag(id)).toBe(before)
    expect((await fetchText(`${site.service.base}/${id}`)) === text).toBe(true)
  })
})

describe('the editors page', () => {
  it('suggests usernames while one is typed', async () => {
    const { id } = await site.create('x')
    await site.withPage(async (page) => {
      await page.goto(`/${id}/editors`)
      await page.getByLabel('Username').pressSequentially('gra')
      const suggestions = page.locator('#usernames option')
      await expect
        .poll(() =>
          suggestions.evaluateAll((options) => options.map((option) => option.getAttribute('value'))),
        )
        .toEqual(['Grace-Hopper'])
    }, demo)
  })
})

/** Saves, and waits for the page of the document. */
async function saveEncrypted(page: Page): Promise<void> {
  await saveButton(page).click()
  await page.waitForURL((url) => !url.pathname.endsWith('/edit'))
}

const fetchJwe = async (id: string): Promise<string> => (await site.read(id)).content

describe('an encrypted document', () => {
  it('is edited in the browser: neither text nor password leaves it', async () => {
    const text = 'first\r\n\0hidden\r\n'
    const { id } = await site.createEncrypted(text, PASSWORD, {}, CHOSEN_PASSWORD_ITERATIONS)
    await withPage(async (page) => {
      const sent = recordRequests(page)
      await page.goto(`/${id}`)
      await enterPassword(page, PASSWORD)
      // Browsers write addresses to disk, too.
      const addresses: string[] = []
      page.on('framenavigated', (frame) => addresses.push(frame.url()))
      await page.getByRole('link', { name: 'Edit', exact: true }).click()
      await page.waitForURL(`**/${id}/edit`)
      await enterPassword(page, PASSWORD)
      await codeEditor(page).waitFor()
      expect(page.url()).toBe(`${site.service.base}/${id}/edit`)
      await codeEditor(page).press('Control+End')
      await page.keyboard.type('more 😀')
      await saveEncrypted(page)
      await enterPassword(page, PASSWORD)
      await page.getByText('more 😀').waitFor()
      expect(addresses.join('\n')).not.toContain('#')
      expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('wörd')
      for (const secret of ['hidden', 'more', PASSWORD, encodeURIComponent(PASSWORD)])
        expect(sent.join('\n')).not.toContain(secret)
    })
    const jwe = await fetchJwe(id)
    expect(await decryptContent(jwe, PASSWORD)).toBe('first\r\n\0hidden\r\nmore 😀')
    expect(parseJwe(jwe).header.iterations).toBe(CHOSEN_PASSWORD_ITERATIONS)
  })

  it('with a generated password stays as cheap to decrypt', async () => {
    const { id, password = '' } = await site.create('text', { encrypted: true })
    await withPage(async (page) => {
      await page.goto(`/${id}/edit`)
      await enterPassword(page, 'wrong')
      await waitForAlert(page, 'Wrong password')
      await enterPassword(page, password)
      await fillCodeEditor(page, 'changed')
      await saveEncrypted(page)
    })
    const jwe = await fetchJwe(id)
    expect(await decryptContent(jwe, password)).toBe('changed')
    expect(parseJwe(jwe).header.iterations).toBe(GENERATED_PASSWORD_ITERATIONS)
  })

  it('can be claimed with its password once it burns after reading', async () => {
    const { id } = await site.createEncrypted('all\r\nkinds\rof\nbreaks', PASSWORD)
    await withPage(async (page) => {
      await page.goto(`/${id}/edit#${encodeURIComponent(PASSWORD)}`)
      await page.getByText('This text has mixed line breaks').waitFor()
      await page.getByLabel('Delete after first read').check()
      await saveEncrypted(page)
    })
    const jwe = await fetchJwe(id)
    expect(await decryptContent(jwe, PASSWORD)).toBe('all\r\nkinds\rof\nbreaks')
    const { header } = parseJwe(jwe)
    const claim = `${site.service.base}/v1/document/${id}/claim`
    const { data } = (await (await fetch(claim)).json()) as { data: { header: string } }
    expect(data.header).toBe(header.encoded)
    const body = JSON.stringify({ token: await deriveClaimToken(PASSWORD, header) })
    const headers = { 'Content-Type': 'application/json' }
    expect((await fetch(claim, { method: 'POST', headers, body })).status).toBe(200)
  })

  it('has its settings changed without the password', async () => {
    const { id } = await site.createEncrypted('text', PASSWORD)
    await withPage(async (page) => {
      await page.goto(`/${id}/edit`)
      await openMenu(page, 'more-menu')
      await page.getByLabel('Visibility').selectOption('public')
      await page.getByRole('button', { name: 'Save settings' }).click()
      await page.waitForURL(`**/${id}`)
    })
    expect(await decryptContent(await fetchJwe(id), PASSWORD)).toBe('text')
  })
})
