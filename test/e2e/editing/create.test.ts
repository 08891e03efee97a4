import type { BrowserContextOptions, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectComplete } from '../support/browser.ts'
import {
  codeEditor,
  codeEditorText,
  createButton,
  createDocument,
  createdLink,
  fetchText,
  findDraft,
  holdScript,
  isFocused,
  openCreatePage,
} from '../support/code-editor-page.ts'
import { startTestSite, type TestSite } from '../support/test-site.ts'

let site: TestSite
let ada: BrowserContextOptions

beforeAll(async () => {
  site = await startTestSite()
  ada = await site.signIn('Ada')
})

afterAll(() => site.stop())

const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] }

/** Collects the POST requests of a page. */
function recordPosts(page: Page): Request[] {
  const posts: Request[] = []
  page.on('request', (request) => request.method() === 'POST' && posts.push(request))
  return posts
}

describe('the page for new documents', () => {
  it('creates a document, shows and copies its link, and leads to it', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      expect(await isFocused(page)).toBe(true)
      await page.keyboard.type('const a = 1')
      await page.keyboard.press('Enter')
      await page.keyboard.insertText('<b>second</b> 😀')
      const link = await createDocument(page)
      expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[A-Za-z0-9]{8}$/)
      expect(await fetchText(link)).toBe('const a = 1\n<b>second</b> 😀')
      const heading = page.getByRole('heading', { level: 1 })
      expect(await heading.evaluate((element) => element === document.activeElement)).toBe(true)
      expect(await page.getByRole('status').textContent()).toBe('Saved.')
      await page.getByRole('button', { name: 'Copy link' }).click()
      await page.getByText('Copied.').waitFor()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
      await page.getByRole('img', { name: 'QR code for the link' }).waitFor()
      await expectComplete(page)
      await page.getByRole('link', { name: 'Open', exact: true }).click()
      await page.getByText('<b>second</b> 😀').waitFor()
      expect(page.url()).toBe(link)
    }, CLIPBOARD)
  })

  it('puts the link into the address bar, so that a reload shows the document', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await page.keyboard.type('kept by its address')
      const link = await createDocument(page)
      expect(page.url()).toBe(link)
      await page.goto(`${link}#L1`)
      await page.getByText('kept by its address').waitFor()
      await page.reload()
      await page.getByText('kept by its address').waitFor()
    })
  })

  it('takes over what was typed before its script ran', async () => {
    await site.withPage(async (page) => {
      const release = await holdScript(page, 'create')
      await page.goto('/', { waitUntil: 'commit' })
      await page.locator('textarea').fill('typed early')
      release()
      await page.locator('.cm-content').waitFor()
      await page.keyboard.press('Control+End')
      await page.keyboard.type(', and late')
      expect(await codeEditorText(page)).toBe('typed early, and late')
    })
  })

  it('mentions a waiting draft if something was typed before its script ran', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await page.keyboard.type('the draft')
      await expect.poll(() => findDraft(page)).not.toBeNull()
      const release = await holdScript(page, 'create')
      await page.reload({ waitUntil: 'commit' })
      await page.locator('textarea').fill('typed early')
      release()
      await page.getByRole('status').filter({ hasText: 'restore your draft' }).waitFor()
      await createDocument(page)
      await openCreatePage(page)
      expect(await codeEditorText(page)).toBe('the draft')
    })
  })

  it('never covers the QR code on a small phone with an announcement', async () => {
    await site.withPage(
      async (page) => {
        await openCreatePage(page)
        await codeEditor(page).click()
        await page.keyboard.insertText('to be read elsewhere')
        await createDocument(page)
        const code = await page.getByRole('img', { name: 'QR code for the link' }).boundingBox()
        const message = await page.getByRole('status').filter({ hasText: 'Saved.' }).boundingBox()
        if (!code || !message) throw new Error('the QR code or the message is missing')
        // They share some height, so they must not share any width.
        expect(message.y).toBeLessThan(code.y + code.height)
        expect(message.x).toBeGreaterThanOrEqual(code.x + code.width)
      },
      { viewport: { width: 390, height: 560 } },
    )
  })
})

describe('saving', () => {
  it('by a shortcut creates one document, and ignores the key while it is held down', async () => {
    await site.withPage(async (page) => {
      const posts = recordPosts(page)
      await openCreatePage(page)
      await page.keyboard.type('by key')
      for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Control+s')
      expect(await fetchText(await createdLink(page))).toBe('by key')
      expect(posts).toHaveLength(1)
      // The browser would open its own dialog.
      const passedOn = await page.evaluate(() =>
        document.body.dispatchEvent(
          new KeyboardEvent('keydown', {
            key: 's',
            ctrlKey: true,
            repeat: true,
            bubbles: true,
            cancelable: true,
          }),
        ),
      )
      expect(passedOn).toBe(false)
    })
  })

  it('asks for a text if there is none, and has the question read out', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await createButton(page).click()
      expect(await page.getByRole('alert').textContent()).toBe('Write something first.')
      expect(await isFocused(page)).toBe(true)
      await expectComplete(page)
      await page.keyboard.type('something')
      await createDocument(page)
    })
  })

  it('loses nothing if the server is unreachable or fails', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await page.keyboard.type('kept')
      await page.route('**/v1/document', (route) => route.abort())
      await createButton(page).click()
      await page.getByRole('alert').filter({ hasText: 'Can’t reach Regent' }).waitFor()
      await page.unroute('**/v1/document')
      await page.route('**/v1/document', (route) => route.fulfill({ status: 500, body: 'no JSON' }))
      await createButton(page).click()
      await page.getByRole('alert').filter({ hasText: 'on our side' }).waitFor()
      expect(await createButton(page).getAttribute('aria-disabled')).toBeNull()
      await page.unroute('**/v1/document')
      expect(await fetchText(await createDocument(page))).toBe('kept')
    })
  })

  it('reports slow progress, and happens once however often it is started', async () => {
    await site.withPage(async (page) => {
      const posts = recordPosts(page)
      const released = Promise.withResolvers<void>()
      await page.route('**/v1/document', async (route) => {
        await released.promise
        await route.continue()
      })
      await openCreatePage(page)
      await page.keyboard.type('slow')
      await createButton(page).click()
      await page.getByRole('status').filter({ hasText: 'Saving…' }).waitFor()
      expect(await createButton(page).getAttribute('aria-disabled')).toBe('true')
      await expectComplete(page)
      await createButton(page).click({ force: true })
      await codeEditor(page).press('Control+Enter')
      await page.keyboard.type('lost?')
      released.resolve()
      expect(await fetchText(await createdLink(page))).toBe('slow')
      expect(posts).toHaveLength(1)
    })
  })

  it('works by keyboard alone, with a visible focus', async () => {
    await site.withPage(
      async (page) => {
        await openCreatePage(page)
        const tabTo = async (name: string) => {
          for (let tabs = 0; tabs < 20; tabs++) {
            await page.keyboard.press('Tab')
            const [label, visible] = await page.evaluate(() => {
              const element = document.activeElement as HTMLInputElement
              const { outlineStyle } = getComputedStyle(element.closest('.cm-focused') ?? element)
              return [
                element.ariaLabel || element.labels?.[0]?.textContent?.trim() || element.textContent?.trim(),
                outlineStyle !== 'none',
              ] as const
            })
            expect({ label, visible }).toEqual({ label, visible: true })
            if (label === name) return
          }
          throw new Error(`Tab doesn't reach ${name}`)
        }
        await page.keyboard.type('by keyboard')
        await page.keyboard.press('Escape')
        await tabTo('Settings')
        await page.keyboard.press('Enter')
        await tabTo('Encrypt with a password')
        await page.keyboard.press('Space')
        await tabTo('Copy password')
        await page.keyboard.press('Enter')
        await page.getByRole('status').filter({ hasText: 'Copied.' }).waitFor()
        await tabTo('Create document')
        await page.keyboard.press('Enter')
        const link = await createdLink(page)
        await tabTo('Copy link with password')
        await page.keyboard.press('Enter')
        await expect
          .poll(() => page.evaluate(() => navigator.clipboard.readText()))
          .toMatch(new RegExp(`^${link}#[A-Za-z0-9]{24}$`))
        await tabTo('Open')
        await page.keyboard.press('Enter')
        await page.waitForURL(link)
      },
      { ...ada, ...CLIPBOARD },
    )
  })
})

// Each colour scheme and each width once: contrast doesn't depend on the width.
describe.each([
  ['light', 390],
  ['dark', 1440],
] as const)('in %s at %i pixels', (colorScheme, width) => {
  it('every state is accessible and fits', async () => {
    const phone = width < 500
    const options = {
      ...ada,
      colorScheme,
      viewport: { width, height: 844 },
      hasTouch: phone,
      isMobile: phone,
    }
    await site.withPage(async (page) => {
      await openCreatePage(page)
      expect(await isFocused(page)).toBe(!phone)
      await expectComplete(page)
      await codeEditor(page).fill(
        `// a comment that is much longer than a phone is wide, and then some more words of it\nconst answer: number = 42\nexport function greet(name: string) {\n  return \`Hello, \${name}\` // 😀\n}\n`,
      )
      await page.getByLabel('Language').fill('typescript')
      await page.locator('.tok-keyword').first().waitFor()
      await page.getByText('Settings', { exact: true }).click()
      await page.getByLabel('Encrypt with a password').check()
      await expectComplete(page)
      await createDocument(page)
      await page.getByRole('img', { name: 'QR code for the link' }).waitFor()
      await expectComplete(page)
    }, options)
  })
})
