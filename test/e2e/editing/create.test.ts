import type { BrowserContextOptions, Page, Request } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectComplete, getCopied } from '../support/browser.ts'
import {
  chooseEncryption,
  codeEditor,
  codeEditorText,
  documentText,
  fetchDocument,
  fetchText,
  findDraft,
  holdScript,
  isFocused,
  openCreatePage,
  paste,
  shareButton,
  shareDocument,
  sharedLink,
  shareToast,
} from '../support/code-editor-page.ts'
import { openTestSite, type TestSite } from '../support/test-site.ts'

let site: TestSite
let ada: BrowserContextOptions

beforeAll(async () => {
  site = await openTestSite()
  ada = await site.signIn('Ada-Lovelace')
})

/** Matches the address that the form is sent to. */
const isHome = (url: URL): boolean => url.pathname === '/'

/** Collects the POST requests of a page. */
function recordPosts(page: Page): Request[] {
  const posts: Request[] = []
  page.on('request', (request) => request.method() === 'POST' && posts.push(request))
  return posts
}

/** Those that the script reports in the page, which a test expects. */
const hideErrors = (page: Page) =>
  page.evaluate(() => {
    console.error = () => {}
  })

const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 720 } }
const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

describe.each([
  ['on a desktop', DESKTOP],
  ['on a phone', PHONE],
])('%s', (_, screen) => {
  it('500 pasted lines are shared, copied and undone, with the bar always in sight', async () => {
    const lines = Array.from({ length: 500 }, (_, index) => `const value${index} = ${index}`).join('\n')
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await paste(page, lines)
      await page.getByLabel('Title or file name').fill('values.ts')
      await page.getByLabel('Expires').selectOption('hour')
      const controls = [
        shareButton(page),
        page.getByLabel('Title or file name'),
        page.getByLabel('Language'),
        page.getByLabel('Expires', { exact: true }),
        page.getByLabel('Delete after first read'),
        page.locator('#password-menu > summary'),
      ]
      const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
      for (const control of controls) {
        const box = await control.boundingBox()
        if (!box) throw new Error('a control is missing')
        expect(box.x).toBeGreaterThanOrEqual(0)
        expect(box.x + box.width).toBeLessThanOrEqual(width)
        expect(box.y + box.height).toBeLessThanOrEqual(height)
      }
      const scrolls = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)
      expect(scrolls).toBe(0)

      const link = await shareDocument(page)
      expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[A-Za-z0-9]{8}$/)
      const toast = shareToast(page)
      await toast.getByText('Link copied').waitFor()
      expect(getCopied(page)).toBe(link)
      expect(await fetchText(link)).toBe(lines)
      expect((await fetchDocument(link)).settings).toMatchObject({
        title: 'values.ts',
        language: 'typescript',
      })
      await toast.getByRole('button', { name: 'QR code' }).click()
      await toast.getByRole('img', { name: 'QR code for the link' }).waitFor()

      await toast.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('Your text is back').waitFor()
      expect(await site.getStatus(new URL(link).pathname)).toBe(404)
      await codeEditor(page).waitFor()
      expect(await page.getByLabel('Title or file name').inputValue()).toBe('values.ts')
      expect(await page.getByLabel('Expires', { exact: true }).inputValue()).toBe('hour')
      expect(await fetchText(await shareDocument(page))).toBe(lines)
    }, screen)
  })
})

describe('on a phone', () => {
  it('a text is shared with two taps, and can be deleted after it is read', async () => {
    await site.withPage(async (page) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.goto('/')
      const pasteButton = page.getByRole('button', { name: 'Paste', exact: true })
      await pasteButton.waitFor()
      await page.evaluate(() => navigator.clipboard.writeText('from the clipboard'))
      await pasteButton.tap()
      await page.locator('.cm-content', { hasText: 'from the clipboard' }).waitFor()
      expect(await pasteButton.isVisible()).toBe(false)
      await page.locator('.bar-burn').tap()
      expect(await page.getByLabel('Delete after first read').isChecked()).toBe(true)
      await expectComplete(page)
      await page.locator('.bar-burn').tap()
      await shareButton(page).tap()
      await documentText(page, 'from the clipboard').waitFor()
    }, PHONE)
  })
})

describe('the page for new documents', () => {
  it('shows the link, ready to be copied, if the browser refuses to copy it', async () => {
    await site.withPage(async (page) => {
      await page.addInitScript(() => {
        navigator.clipboard.write = () => Promise.reject(new DOMException('denied', 'NotAllowedError'))
        navigator.clipboard.writeText = () => Promise.reject(new DOMException('denied', 'NotAllowedError'))
      })
      await openCreatePage(page)
      await page.keyboard.type('by hand')
      const link = await shareDocument(page)
      expect(await page.getByLabel('Link', { exact: true }).textContent()).toBe(link)
      expect(await page.evaluate(() => getSelection()?.toString())).toBe(link)
      await expectComplete(page)
      await shareToast(page).getByRole('button', { name: 'Close' }).click()
      await expect.poll(() => shareToast(page).count()).toBe(0)
      await page.reload()
      await documentText(page, 'by hand').waitFor()
      expect(await shareToast(page).count()).toBe(0)
    })
  })

  it('takes over what was typed before its script ran', async () => {
    await site.withPage(async (page) => {
      const release = await holdScript(page, 'editor-page')
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
      const release = await holdScript(page, 'editor-page')
      await page.reload({ waitUntil: 'commit' })
      await page.locator('textarea').fill('typed early')
      release()
      await page.getByRole('status').filter({ hasText: 'restore your draft' }).waitFor()
      await shareDocument(page)
      await openCreatePage(page)
      expect(await codeEditorText(page)).toBe('the draft')
    })
  })
})

describe('saving', () => {
  it('by a shortcut creates one document, and ignores the key while it is held down', async () => {
    await site.withPage(async (page) => {
      const posts = recordPosts(page)
      await openCreatePage(page)
      await page.keyboard.type('by key')
      for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Control+s')
      expect(await fetchText(await sharedLink(page))).toBe('by key')
      expect(posts).toHaveLength(1)
    })
  })

  it('asks for a text if there is none, and has the question read out', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await shareButton(page).click()
      expect(await page.getByRole('alert').textContent()).toBe('Write something first.')
      expect(await isFocused(page)).toBe(true)
      await page.keyboard.type('something')
      await shareDocument(page)
    })
  })

  it('loses nothing if the server is unreachable or fails', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await page.keyboard.type('kept')
      await page.route(isHome, (route) => route.abort())
      await shareButton(page).click()
      await page.getByRole('alert').filter({ hasText: 'Can’t reach the server' }).waitFor()
      await page.unroute(isHome)
      await page.route(isHome, (route) => route.fulfill({ status: 500, body: 'no JSON' }))
      await shareButton(page).click()
      await page.getByRole('alert').filter({ hasText: 'on our side' }).waitFor()
      await expect.poll(() => shareButton(page).getAttribute('aria-disabled')).toBeNull()
      await page.unroute(isHome)
      expect(await fetchText(await shareDocument(page))).toBe('kept')
    })
  })

  it.each(['a text', 'an encrypted text'])(
    'is the first document of %s whose answer was lost',
    async (kind) => {
      await site.withPage(async (page) => {
        await openCreatePage(page)
        await page.keyboard.type('shared twice')
        if (kind === 'an encrypted text') await chooseEncryption(page)
        const answers: { id: string; token: string }[] = []
        await page.route(isHome, async (route) => {
          if (route.request().method() !== 'POST') return route.continue()
          const response = await route.fetch()
          answers.push((await response.json()).data)
          if (answers.length === 1) await route.abort()
          else await route.fulfill({ response })
        })
        await shareButton(page).click()
        await page.getByRole('alert').filter({ hasText: 'Can’t reach the server' }).waitFor()
        const link = await shareDocument(page)
        await documentText(page, 'shared twice').waitFor()
        const [first, second] = answers
        expect(second).toEqual(first)
        expect(new URL(link).pathname).toBe(`/${first?.id}`)
        const documents = await page.evaluate(() => localStorage.getItem('regent.documents'))
        expect(documents).toContain(first?.token)
        // On purpose, it's another document.
        await openCreatePage(page)
        await page.keyboard.type('shared twice')
        expect(await shareDocument(page)).not.toBe(link)
      })
    },
  )

  it.each([
    [
      'what the next page shows',
      () => {
        Storage.prototype.setItem = () => {
          throw new Error('full')
        }
      },
    ],
    [
      'the copied link',
      () => {
        Promise.race = () => {
          throw new Error('broken')
        }
      },
    ],
  ] as const)('is sent once, and opens, if the script fails at %s', async (_, breakScript) => {
    await site.withPage(async (page) => {
      const posts = recordPosts(page)
      await openCreatePage(page)
      await page.keyboard.type('sent once')
      await chooseEncryption(page)
      await page.evaluate(breakScript)
      await hideErrors(page)
      await shareButton(page).click()
      // With its password, which nobody knows.
      await documentText(page, 'sent once').waitFor()
      expect(posts).toHaveLength(1)
    })
  })

  it('never sends the plain form after the script has sent it', async () => {
    await site.withPage(async (page) => {
      const posts = recordPosts(page)
      await openCreatePage(page)
      await page.keyboard.type('sent once')
      // An answer that the script doesn't understand.
      await page.route(isHome, (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({ json: { error: { errors: [{}] } }, status: 400 })
          : route.continue(),
      )
      await shareButton(page).click()
      await page.getByRole('alert').filter({ hasText: 'after the text was sent' }).waitFor()
      expect(posts).toHaveLength(1)
    })
  })

  it('reports slow progress, and happens once however often it is started', async () => {
    await site.withPage(async (page) => {
      const posts = recordPosts(page)
      await openCreatePage(page)
      const released = Promise.withResolvers<void>()
      await page.route(isHome, async (route) => {
        await released.promise
        await route.continue()
      })
      await page.keyboard.type('slow')
      await shareButton(page).click()
      await page.getByRole('status').filter({ hasText: 'Saving…' }).waitFor()
      expect(await shareButton(page).getAttribute('aria-disabled')).toBe('true')
      await expectComplete(page)
      await shareButton(page).click({ force: true })
      await codeEditor(page).press('Control+Enter')
      await page.keyboard.type('lost?')
      released.resolve()
      expect(await fetchText(await sharedLink(page))).toBe('slow')
      expect(posts).toHaveLength(1)
    })
  })

  it('works by keyboard alone, with a visible focus', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      const tabTo = async (name: string, key = 'Tab') => {
        for (let tabs = 0; tabs < 20; tabs++) {
          await page.keyboard.press(key)
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
      await page.getByLabel('Title or file name').focus()
      await tabTo('Delete after first read')
      await page.keyboard.press('Space')
      await tabTo('Password')
      await page.keyboard.press('Enter')
      // Opening the menu chooses a password, and leads to it.
      await page.locator('#encrypt-password:focus').waitFor()
      await tabTo('Copy password')
      await page.keyboard.press('Enter')
      await page.getByRole('status').filter({ hasText: 'Copied.' }).waitFor()
      await page.keyboard.press('Escape')
      expect(await page.locator('details[open]').count()).toBe(0)
      await tabTo('More settings')
      await tabTo('Open files')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await sharedLink(page)
      await documentText(page, 'by keyboard').waitFor()
      await shareToast(page).getByRole('button', { name: 'QR code' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('img', { name: 'QR code for the link' }).waitFor()
      await tabTo('Close', 'Shift+Tab')
    }, ada)
  })
})
