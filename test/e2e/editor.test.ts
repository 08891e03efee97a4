import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addAccount } from './support/accounts.ts'
import { expectComplete, FROZEN_MS, startBrowser, watchPage } from './support/browser.ts'
import { type Service, startService } from './support/service.ts'
import { signIn, WITH_SECRET } from './support/session.ts'

let service: Service
let browser: Browser
/** A browser in which a confirmed account is signed in. */
let ada: BrowserContextOptions

beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(undefined, WITH_SECRET), startBrowser()])
  for (const name of ['Ada', 'Grace']) {
    await addAccount(service.folder, name)
  }
  ada = await signIn(service.folder, 'Ada')
})

afterAll(async () => {
  await browser.close()
  await service.stop()
})

const withPage = (options: BrowserContextOptions, journey: (page: Page) => Promise<void>) =>
  watchPage(browser, service.base, options, journey)

/** Opens the editor, and waits until its script has taken over. */
async function open(page: Page): Promise<void> {
  await page.goto('/')
  await page.locator('.cm-content').waitFor()
}

const box = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })
const create = (page: Page) => page.getByRole('button', { name: 'Create document' })
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** The link that the page shows once the document is saved. */
async function savedLink(page: Page): Promise<string> {
  await page.getByRole('heading', { name: 'Document saved' }).waitFor()
  return page.getByLabel('Link', { exact: true }).inputValue()
}

const rawText = async (link: string): Promise<string> => {
  const bytes = await (await fetch(link.replace(/\/([^/]+)$/, '/r/$1'))).arrayBuffer()
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

/** The document as the API tells it, which counts as a view. */
const documentAt = async (link: string) => {
  const response = await fetch(link.replace(/\/([^/]+)$/, '/v1/document/$1'))
  const { data } = (await response.json()) as {
    data: {
      content: string
      creator: { username: string } | null
      timestamps: { expiration: string }
      settings: Record<string, unknown>
    }
  }
  return data
}

const file = (name: string, content: string | Uint8Array) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
})

const openFile = (page: Page, name: string, content: string | Uint8Array) =>
  page.locator('input[type="file"]').setInputFiles(file(name, content))

const savedDraft = (page: Page) =>
  page.evaluate(() => Object.entries(localStorage).find(([key]) => key.startsWith('regent.draft')) ?? null)

describe('the editor', () => {
  it('saves a text, shows its link, copies it, and leads to the document', async () => {
    await withPage({ permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
      await open(page)
      expect(await box(page).evaluate((element) => element === document.activeElement)).toBe(true)
      await page.keyboard.type('const a = 1')
      await page.keyboard.press('Enter')
      await page.keyboard.insertText('<b>second</b> 😀')
      await create(page).click()
      const link = await savedLink(page)
      expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[A-Za-z0-9]{8}$/)
      expect(await rawText(link)).toBe('const a = 1\n<b>second</b> 😀')
      expect(await heading(page).evaluate((element) => element === document.activeElement)).toBe(true)
      expect(await page.getByRole('status').textContent()).toBe('Saved.')
      await page.getByRole('button', { name: 'Copy the link' }).click()
      await page.getByText('Copied.').waitFor()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
      await page.getByRole('img', { name: 'QR code of the link' }).waitFor()
      await expectComplete(page)
      await page.getByRole('link', { name: 'Open', exact: true }).click()
      await page.getByText('<b>second</b> 😀').waitFor()
      expect(page.url()).toBe(link)
    })
  })

  it('has the link in the address bar once it is saved: a reload shows the document', async () => {
    await withPage({}, async (page) => {
      await open(page)
      await page.keyboard.type('kept by its address')
      await create(page).click()
      const link = await savedLink(page)
      expect(page.url()).toBe(link)
      await page.reload()
      await page.getByText('kept by its address').waitFor()
      await open(page)
      await page.keyboard.type('with a line to link to')
      await create(page).click()
      await page.goto(`${await savedLink(page)}#L1`)
      await page.getByText('with a line to link to').waitFor()
    })
  })

  it('takes over what was typed before its script had come', async () => {
    await withPage({}, async (page) => {
      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route('**/editor-*.js', async (route) => {
        await held
        await route.continue()
      })
      await page.goto('/', { waitUntil: 'commit' })
      await page.locator('textarea').fill('typed early')
      release()
      await page.locator('.cm-content').waitFor()
      await page.keyboard.press('Control+End')
      await page.keyboard.type(', and late')
      expect(await box(page).textContent()).toContain('typed early, and late')
    })
  })

  it('says that a draft waits when something was typed before its script had come', async () => {
    await withPage({}, async (page) => {
      await open(page)
      await page.keyboard.type('the draft')
      await expect.poll(() => savedDraft(page)).not.toBeNull()
      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route('**/editor-*.js', async (route) => {
        await held
        await route.continue()
      })
      await page.reload({ waitUntil: 'commit' })
      await page.locator('textarea').fill('typed early')
      release()
      await page.getByRole('status').filter({ hasText: 'comes back with the next' }).waitFor()
      await create(page).click()
      await savedLink(page)
      await open(page)
      expect(await box(page).textContent()).toBe('the draft')
    })
  })

  it.each(['Control+s', 'Meta+s', 'Control+Enter', 'Meta+Enter'])('saves by %s, once', async (keys) => {
    await withPage({}, async (page) => {
      const posts: Request[] = []
      page.on('request', (request) => request.method() === 'POST' && posts.push(request))
      await open(page)
      await page.keyboard.type('by key')
      await page.keyboard.press(keys)
      await page.keyboard.press(keys)
      await page.keyboard.press(keys)
      expect(await rawText(await savedLink(page))).toBe('by key')
      expect(posts).toHaveLength(1)
    })
  })

  it('asks for a text where there is none, and says so where it is read out', async () => {
    await withPage({}, async (page) => {
      await open(page)
      await create(page).click()
      expect(await page.getByRole('alert').textContent()).toBe('Write something first.')
      expect(await box(page).evaluate((element) => element === document.activeElement)).toBe(true)
      await expectComplete(page)
      await page.keyboard.type('something')
      await create(page).click()
      await savedLink(page)
    })
  })

  it('loses nothing when the service can not be reached, or answers with an error', async () => {
    await withPage({}, async (page) => {
      await open(page)
      await page.keyboard.type('kept')
      await page.route('**/v1/document', (route) => route.abort())
      await create(page).click()
      expect(await page.getByRole('alert').textContent()).toContain('can not be reached')
      await page.unroute('**/v1/document')
      await page.route('**/v1/document', (route) => route.fulfill({ status: 500, body: 'no JSON' }))
      await create(page).click()
      await page.getByText('The fault is ours').waitFor()
      expect(await create(page).getAttribute('aria-disabled')).toBeNull()
      await page.unroute('**/v1/document')
      await create(page).click()
      expect(await rawText(await savedLink(page))).toBe('kept')
    })
  })

  it('gives up on an answer that does not come, and loses nothing', async () => {
    await withPage({}, async (page) => {
      await page.clock.install()
      await open(page)
      await page.keyboard.type('kept')
      await page.route('**/v1/document', () => {})
      const sent = page.waitForRequest('**/v1/document')
      await create(page).click()
      await sent
      await page.clock.fastForward(61_000)
      await page.getByRole('alert').filter({ hasText: 'can not be reached' }).waitFor()
      await page.unroute('**/v1/document')
      await create(page).click()
      expect(await rawText(await savedLink(page))).toBe('kept')
    })
  })

  it('is left by keyboard: Tab indents, Escape and Tab goes on', async () => {
    await withPage({}, async (page) => {
      await open(page)
      await page.keyboard.press('Tab')
      await page.keyboard.type('x')
      expect(await box(page).textContent()).toMatch(/^\s+x$/)
      await page.keyboard.press('Escape')
      await page.keyboard.press('Tab')
      expect(await box(page).evaluate((element) => element === document.activeElement)).toBe(false)
    })
  })

  it('is written over where it is coloured, without a complaint of the policy', async () => {
    await withPage({}, async (page) => {
      await open(page)
      await openFile(page, 'a.py', '# a comment\nx = 1\n# the last')
      for (const text of ['# second\n# third', '# fourth', 'x = "fifth"']) {
        await page.locator('.tok-comment').first().waitFor()
        // Nothing lies between what selects and what types.
        await box(page).fill(text)
        expect(await page.locator('.cm-line').allTextContents()).toEqual(text.split('\n'))
      }
      await page.keyboard.press('Control+z')
      await page.getByText('# fourth').waitFor()
    })
  })

  it.each([
    ['caps lock', { key: 'S', code: 'KeyS' }],
    ['letters that are not Latin', { key: 'ы', code: 'KeyS' }],
  ])('is saved by Ctrl+S with %s', async (_, key) => {
    await withPage({}, async (page) => {
      await open(page)
      await page.keyboard.type('saved by a key')
      await box(page).dispatchEvent('keydown', { ...key, ctrlKey: true })
      const link = await savedLink(page)
      expect(await rawText(link)).toBe('saved by a key')
      // Held down until then, it must not open the browser's own dialog.
      const left = await page.evaluate(
        (held) => document.body.dispatchEvent(new KeyboardEvent('keydown', held)),
        { ...key, ctrlKey: true, repeat: true, bubbles: true, cancelable: true },
      )
      expect(left).toBe(false)
    })
  })

  it('finds in the text by a panel that is accessible', async () => {
    await withPage({}, async (page) => {
      await open(page)
      await page.keyboard.type('one two three')
      await page.keyboard.press('Control+f')
      await page.keyboard.type('two')
      await page.keyboard.press('Enter')
      await page.locator('.cm-searchMatch-selected').waitFor()
      await expectComplete(page)
    })
  })
})

describe('saving', () => {
  it('says what takes longer than a blink, and happens once however often it is asked for', async () => {
    await withPage({}, async (page) => {
      const posts: Request[] = []
      page.on('request', (request) => request.method() === 'POST' && posts.push(request))
      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route('**/v1/document', async (route) => {
        await held
        await route.continue()
      })
      await open(page)
      await page.keyboard.type('slow')
      await create(page).click()
      await page.getByRole('status').filter({ hasText: 'Saving…' }).waitFor()
      expect(await create(page).getAttribute('aria-disabled')).toBe('true')
      await expectComplete(page)
      await create(page).click({ force: true })
      await box(page).press('Control+Enter')
      await page.keyboard.type('lost?')
      release()
      expect(await rawText(await savedLink(page))).toBe('slow')
      expect(posts).toHaveLength(1)
    })
  })

  it('works by keyboard alone, with the focus in sight', async () => {
    const permissions = { permissions: ['clipboard-read', 'clipboard-write'] }
    await withPage({ ...ada, ...permissions }, async (page) => {
      await open(page)
      const tabTo = async (name: string) => {
        for (let tabs = 0; tabs < 20; tabs++) {
          await page.keyboard.press('Tab')
          const [label, seen] = await page.evaluate(() => {
            const element = document.activeElement as HTMLInputElement
            const { outlineStyle } = getComputedStyle(element.closest('.cm-focused') ?? element)
            return [
              element.ariaLabel || element.labels?.[0]?.textContent?.trim() || element.textContent?.trim(),
              outlineStyle !== 'none',
            ] as const
          })
          expect({ label, seen }).toEqual({ label, seen: true })
          if (label === name) return
        }
        throw new Error(`no way to ${name}`)
      }
      await page.keyboard.type('by keyboard')
      await page.keyboard.press('Escape')
      await tabTo('Settings')
      await page.keyboard.press('Enter')
      await tabTo('Protect with a password')
      await page.keyboard.press('Space')
      await tabTo('Copy password')
      await page.keyboard.press('Enter')
      await page.getByRole('status').filter({ hasText: 'Copied.' }).waitFor()
      await tabTo('Create document')
      await page.keyboard.press('Enter')
      const link = await savedLink(page)
      await tabTo('Copy the link with the password')
      await page.keyboard.press('Enter')
      await expect
        .poll(() => page.evaluate(() => navigator.clipboard.readText()))
        .toMatch(new RegExp(`^${link}#[A-Za-z0-9]{24}$`))
      await tabTo('Open')
      await page.keyboard.press('Enter')
      await page.waitForURL(link)
    })
  })
})

describe('files', () => {
  it('are opened byte for byte, with the language of their name', async () => {
    await withPage({}, async (page) => {
      await open(page)
      const text = '\uFEFFfn main() {}\r\n// 😀\r\n'
      await openFile(page, 'main.rs', text)
      await page.locator('.tok-keyword').first().waitFor()
      expect(await page.getByLabel('Language').inputValue()).toBe('rust')
      await create(page).click()
      expect(await rawText(await savedLink(page))).toBe(text)
    })
  })

  it('with several kinds of line breaks stay as they are, and it is said what changing them does', async () => {
    await withPage({}, async (page) => {
      const text = 'a\r\nb\nc\rd'
      await open(page)
      await openFile(page, 'mixed.txt', text)
      await page.getByText('become alike when you change it').waitFor()
      await page.reload()
      await page.getByText('Draft restored').waitFor()
      await create(page).click()
      expect(await rawText(await savedLink(page))).toBe(text)
      await open(page)
      await openFile(page, 'mixed.txt', text)
      await page.getByText('become alike when you change it').waitFor()
      await page.keyboard.type('!')
      await create(page).click()
      expect(await rawText(await savedLink(page))).toBe('!a\nb\nc\nd')
    })
  })

  it('are opened one at a time, which is said, and undone by themselves', async () => {
    await withPage({}, async (page) => {
      await open(page)
      await page.keyboard.type('written before')
      await page.locator('input[type="file"]').evaluate((input) => {
        const chosen = new DataTransfer()
        for (const name of ['one.txt', 'two.txt']) chosen.items.add(new File([name], name))
        ;(input as HTMLInputElement).files = chosen.files
        input.dispatchEvent(new Event('change'))
      })
      await page.getByText('the other files were not opened').waitFor()
      expect(await box(page).textContent()).toBe('one.txt')
      await page.keyboard.press('Control+z')
      expect(await box(page).textContent()).toBe('written before')
    })
  })

  it('are refused where they are no text, or too large, and nothing is lost', async () => {
    await withPage({}, async (page) => {
      await open(page)
      await page.keyboard.type('kept')
      for (const [name, content, words] of [
        ['a.bin', new Uint8Array([0xff, 0xfe, 0x00]), 'no text in UTF-8'],
        ['b.bin', 'a\0b', 'it is no text'],
        ['c.txt', 'x'.repeat(10 * 1024 * 1024 + 1), 'larger than 10 MiB'],
      ] as const) {
        await openFile(page, name, content)
        await page.getByRole('alert').filter({ hasText: words }).waitFor()
        expect(await box(page).textContent()).toBe('kept')
      }
    })
  })

  it('are dropped anywhere on the page, and the editor shows that it takes them', async () => {
    await withPage({}, async (page) => {
      await open(page)
      const drag = (type: string, target: string) =>
        page.evaluate(
          ([type, target]) => {
            const dataTransfer = new DataTransfer()
            dataTransfer.items.add(new File(['# dropped\n\ntext'], 'notes.md'))
            const options = { dataTransfer, bubbles: true, cancelable: true }
            document.querySelector(target ?? '')?.dispatchEvent(new DragEvent(type ?? '', options))
          },
          [type, target],
        )
      await drag('dragover', '.cm-content')
      expect(await page.locator('form.dropping').count()).toBe(1)
      await drag('drop', 'h1')
      await page.getByText('# dropped').waitFor()
      expect(await page.locator('form.dropping').count()).toBe(0)
      expect(await page.getByLabel('Language').inputValue()).toBe('markdown')
    })
  })

  it('of 10 MiB are opened, pasted and saved without holding up the page', async () => {
    await withPage({}, async (page) => {
      const line = 'a line of a text that is rather long, “as logs are” 😀\n'
      const lines = 171_890
      await open(page)
      // Made in the page: handing it over would hold up the page by itself.
      await page.evaluate(
        ([line, lines]) => {
          const text = line.repeat(lines)
          const paste = new DataTransfer()
          paste.setData('text/plain', text)
          const drop = new DataTransfer()
          drop.items.add(new File([text], 'big.log'))
          const tasks: number[] = []
          Object.assign(globalThis, { paste, drop, tasks })
          new PerformanceObserver((list) => {
            for (const { duration } of list.getEntries()) tasks.push(duration)
          }).observe({ type: 'longtask' })
        },
        [line, lines] as const,
      )
      const longest: Record<string, number> = {}
      const measure = async (what: string) => {
        longest[what] = await page.evaluate(() => {
          const { tasks } = globalThis as unknown as { tasks: number[] }
          return Math.max(0, ...tasks.splice(0))
        })
      }
      await page.evaluate(() => {
        const { drop } = globalThis as unknown as { drop: DataTransfer }
        const options = { dataTransfer: drop, bubbles: true, cancelable: true }
        document.querySelector('.cm-content')?.dispatchEvent(new DragEvent('drop', options))
      })
      await page.getByText('“big.log” is opened.').waitFor()
      await measure('drop')
      await page.keyboard.press('Control+End')
      await page.keyboard.type('end')
      await measure('type')
      await page.keyboard.press('Control+a')
      await page.evaluate(() => {
        const { paste } = globalThis as unknown as { paste: DataTransfer }
        const options = { clipboardData: paste, bubbles: true, cancelable: true }
        document.querySelector('.cm-content')?.dispatchEvent(new ClipboardEvent('paste', options))
      })
      await page.keyboard.type('x')
      await page.keyboard.press('Backspace')
      await measure('paste')
      await create(page).click()
      const link = await savedLink(page)
      await measure('save')
      expect((await rawText(link)) === line.repeat(lines)).toBe(true)
      const long = Object.entries(longest).filter(([, milliseconds]) => milliseconds >= FROZEN_MS)
      expect(long).toEqual([])
    })
  })
})

describe('a draft', () => {
  it('survives a reload, can be discarded, and is gone once the document is saved', async () => {
    await withPage({}, async (page) => {
      await open(page)
      await page.keyboard.type('a draft')
      await page.reload()
      await page.getByText('Draft restored').waitFor()
      expect(await box(page).textContent()).toBe('a draft')
      await expectComplete(page)
      await page.getByRole('button', { name: 'Discard draft' }).click()
      expect(await box(page).textContent()).not.toContain('a draft')
      expect(await savedDraft(page)).toBeNull()
      await page.reload()
      await page.locator('.cm-content').waitFor()
      expect(await page.getByText('Draft restored').count()).toBe(0)
      await page.keyboard.type('another')
      await create(page).click()
      await savedLink(page)
      expect(await savedDraft(page)).toBeNull()
    })
  })

  it('is still there after signing in', async () => {
    await withPage({}, async (page) => {
      await open(page)
      await page.keyboard.type('written before')
      await expectComplete(page)
      await page.getByRole('link', { name: 'signing in' }).click()
      await page.waitForURL(/\/sign-in\?return=/)
      await page.context().addCookies(ada.storageState === undefined ? [] : cookiesOf(ada))
      await open(page)
      await page.getByText('Draft restored').waitFor()
      expect(await box(page).textContent()).toBe('written before')
      await create(page).click()
      expect((await documentAt(await savedLink(page))).creator?.username).toBe('Ada')
    })
  })

  it('waits while the text of a document is written on, with its settings', async () => {
    const { data } = (await (
      await fetch(`${service.base}/v1/document`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ content: 'of a\rdocument\r\n' }),
      })
    ).json()) as { data: { id: string } }
    const duplicate = async (page: Page) => {
      await page.goto(`/${data.id}`)
      await page.getByRole('button', { name: 'Duplicate' }).click()
      await page.getByText('The text of the document is here').waitFor()
    }
    await withPage(ada, async (page) => {
      await open(page)
      await page.getByText('Settings', { exact: true }).click()
      await page.getByLabel('Who may find it').selectOption('public')
      await box(page).fill('a draft')
      await duplicate(page)
      await page.getByText('comes back with the next new document').waitFor()
      expect(await page.getByText('Draft restored').count()).toBe(0)
      expect(await page.locator('#visibility').inputValue()).toBe('unlisted')
      // Once more: what can be had again must not take its place.
      await duplicate(page)
      await create(page).click()
      expect(await rawText(await savedLink(page))).toBe('of a\rdocument\r\n')
      await page.getByRole('link', { name: 'New document' }).last().click()
      await page.getByText('Draft restored').waitFor()
      expect(await box(page).textContent()).toBe('a draft')
      expect(await page.getByLabel('Who may find it').inputValue()).toBe('public')
      await create(page).click()
      await savedLink(page)
      expect(await savedDraft(page)).toBeNull()
    })
  })

  it('is not promised where the browser keeps none', async () => {
    await withPage({}, async (page) => {
      const promise = page.getByText(', with what you have written', { exact: true })
      await open(page)
      await page.keyboard.type('kept')
      await promise.waitFor()
      await page.evaluate(() => {
        Storage.prototype.setItem = () => {
          throw new DOMException('full', 'QuotaExceededError')
        }
      })
      await page.keyboard.type(' no more')
      await promise.waitFor({ state: 'hidden' })
    })
  })

  it('brings back the settings too, in sight', async () => {
    await withPage(ada, async (page) => {
      await open(page)
      await page.getByText('Settings', { exact: true }).click()
      await page.getByLabel('Expires').selectOption('date')
      await page.getByLabel('Date and time').fill('2030-01-02T03:04')
      await page.getByLabel('Who may find it').selectOption('public')
      await page.getByLabel('Delete it when').check()
      await box(page).fill('a draft')
      await page.reload()
      await page.getByText('Draft restored').waitFor()
      expect(await page.getByLabel('Date and time').inputValue()).toBe('2030-01-02T03:04')
      expect(await page.getByLabel('Who may find it').inputValue()).toBe('public')
      expect(await page.getByLabel('Delete it when').isChecked()).toBe(true)
      await page.getByLabel('Date and time').waitFor()
      await expectComplete(page)
    })
  })

  it('is never kept of a text that is to be encrypted', async () => {
    await withPage(ada, async (page) => {
      await open(page)
      await page.keyboard.type('a secret')
      await expect.poll(() => savedDraft(page)).not.toBeNull()
      await page.getByLabel('Protect with a password').check()
      expect(await savedDraft(page)).toBeNull()
      await box(page).press('Control+End')
      await page.keyboard.type(', and more')
      await page.reload()
      await page.locator('.cm-content').waitFor()
      expect(await savedDraft(page)).toBeNull()
      expect(await box(page).textContent()).not.toContain('secret')
    })
  })
})

const cookiesOf = ({ storageState }: BrowserContextOptions) =>
  typeof storageState === 'object' ? storageState.cookies : []

describe('languages', () => {
  it('are detected, coloured, and chosen', async () => {
    await withPage(ada, async (page) => {
      await open(page)
      await page.getByLabel('Language').fill('auto')
      await box(page).fill('#!/usr/bin/env python3\nprint("x")\n')
      await page.getByText('Detected: Python.').waitFor()
      await page.locator('.tok-string').waitFor()
      await expectComplete(page)
      await create(page).click()
      expect((await documentAt(await savedLink(page))).settings.language).toBe('python')
      await open(page)
      await box(page).fill('#!/usr/bin/env python3\n')
      await page.getByRole('button', { name: 'It looks like Python: use that' }).click()
      expect(await page.getByLabel('Language').inputValue()).toBe('python')
      await page.getByLabel('Language').fill('ts')
      await box(page).fill('type A = string')
      await page.locator('.tok-keyword').waitFor()
      await create(page).click()
      expect((await documentAt(await savedLink(page))).settings.language).toBe('typescript')
    })
  })
})

describe('settings', () => {
  it('are saved where a part of the page does not come any more', async () => {
    await withPage(ada, async (page) => {
      await open(page)
      await page.route('**/*.js', (route) => route.fulfill({ status: 404 }))
      await page.getByLabel('Language').fill('auto')
      await box(page).fill('#!/usr/bin/env python3\nprint(1)\n')
      await create(page).click()
      expect((await documentAt(await savedLink(page))).settings.language).toBe('python')
    })
  })

  it('are saved as they were chosen, and what is wrong is said beside its field', async () => {
    await withPage(ada, async (page) => {
      await open(page)
      await box(page).fill('with settings')
      await page.getByText('Settings', { exact: true }).click()
      await page.getByLabel('Expires', { exact: true }).selectOption('date')
      await create(page).click()
      expect(await page.getByRole('alert').textContent()).toContain('Choose the date')
      await page.getByLabel('Date and time').fill('2020-01-01T12:00')
      await create(page).click()
      await page.getByRole('alert').filter({ hasText: 'at least 1 minute' }).waitFor()
      await expectComplete(page)
      const soon = new Date(Date.now() + 3 * 86_400_000)
      soon.setSeconds(0, 0)
      await page.getByLabel('Date and time').evaluate((field, at) => {
        const date = new Date(at)
        const local = new Date(at - date.getTimezoneOffset() * 60_000)
        ;(field as HTMLInputElement).value = local.toISOString().slice(0, 16)
      }, soon.getTime())
      await page.getByLabel('Editors').fill('Grace, nobody-here')
      await create(page).click()
      await page.getByRole('alert').filter({ hasText: 'nobody-here' }).waitFor()
      const editors = page.getByLabel('Editors')
      expect(await editors.evaluate((element) => element === document.activeElement)).toBe(true)
      await editors.fill('')
      await editors.pressSequentially('Gr')
      const names = page.locator('#usernames option')
      await expect
        .poll(() => names.evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value)))
        .toEqual(['Grace'])
      await editors.fill('Grace')
      await page.getByLabel('Who may find it').selectOption('public')
      await page.getByLabel('Link', { exact: true }).selectOption('long')
      await create(page).click()
      const link = await savedLink(page)
      expect(link).toMatch(/\/[A-Za-z0-9]{36}$/)
      const { timestamps, settings, creator } = await documentAt(link)
      expect(timestamps.expiration).toBe(soon.toISOString())
      expect(settings).toMatchObject({ public: true, editors: ['Grace'] })
      expect(creator?.username).toBe('Ada')
    })
  })

  it('that need an account are said to, and lead to signing in', async () => {
    await withPage({}, async (page) => {
      await open(page)
      await page.getByText('These need an account').waitFor()
      expect(await page.getByRole('link', { name: 'signing in' }).getAttribute('href')).toBe(
        '/sign-in?return=/',
      )
      await openFile(page, 'a.py', 'import os')
      await page.getByText('Without an account it is saved as plain text.').waitFor()
      await create(page).click()
      expect((await documentAt(await savedLink(page))).settings.language).toBe('plaintext')
    })
  })

  it('make nothing for nobody when the session is over', async () => {
    await withPage(ada, async (page) => {
      await open(page)
      await box(page).fill('mine alone')
      await page.context().clearCookies()
      await create(page).click()
      await page.getByRole('alert').filter({ hasText: 'not signed in any more' }).waitFor()
      expect(await page.getByRole('link', { name: 'Sign in in another tab' }).getAttribute('href')).toBe(
        '/sign-in',
      )
      await page.context().addCookies(cookiesOf(ada))
      await create(page).click()
      expect((await documentAt(await savedLink(page))).creator?.username).toBe('Ada')
    })
  })
})

describe('encryption', () => {
  it.each([
    ['a generated password', undefined, false],
    ['a password of one’s own, for one reader', 'own / pass 😀#', true],
  ] as const)('happens in the browser, with %s', async (_, own, once) => {
    await withPage(ada, async (page) => {
      await open(page)
      await box(page).fill('the text that nobody sees')
      await page.getByText('Settings', { exact: true }).click()
      await page.getByLabel('Protect with a password').check()
      const field = page.getByLabel('Password', { exact: true })
      if (own) await field.fill(own)
      const password = await field.inputValue()
      if (!own) expect(password).toMatch(/^[2-9b-df-hjkmnp-tv-zB-DF-HJ-NP-TV-Z]{24}$/)
      if (once) await page.getByLabel('Delete it when').check()
      await expectComplete(page)

      const requests: string[] = []
      page.on('request', (request) => {
        requests.push(`${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`)
      })
      await create(page).click()
      const link = await savedLink(page)
      expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe(password)
      const whole = await page.getByLabel('Link with the password in it').inputValue()
      expect(whole).toBe(`${link}#${encodeURIComponent(password)}`)
      // What stands in other fields, a browser writes to the disk with its history.
      const remembered = page.locator('main input:not([autocomplete="off"])')
      expect(await remembered.evaluateAll((fields) => fields.map((field) => field.id))).toEqual([])
      await expectComplete(page)

      const sent = requests.join('\n')
      expect(sent).toContain('"client_encrypted":true')
      expect(sent.includes('"claim_hash"')).toBe(once)
      for (const secret of ['nobody sees', password, encodeURIComponent(password)]) {
        expect(sent).not.toContain(secret)
      }
      await page.goto(link)
      await page.getByLabel('Password').fill(password)
      await page.keyboard.press('Enter')
      await page.getByText('the text that nobody sees').waitFor()
    })
  })

  it.each(['main', 'L10-L20', '(is it?)', 'Ends with a dot.'])(
    'gives a link that opens with “%s”',
    async (password) => {
      await withPage(ada, async (page) => {
        await open(page)
        await box(page).fill('opened by its link')
        await page.getByLabel('Protect with a password').check()
        await page.getByLabel('Password', { exact: true }).fill(password)
        await create(page).click()
        const link = await savedLink(page)
        const whole = await page.getByLabel('Link with the password in it').inputValue()
        expect(whole).toMatch(/[A-Za-z0-9]$/)
        await page.goto(whole)
        await page.getByText('opened by its link').waitFor()
        expect(page.url()).toBe(link)
      })
    },
  )

  it('asks before a generated password is left that nobody has copied', async () => {
    const permissions = ['clipboard-read', 'clipboard-write']
    await withPage({ ...ada, permissions }, async (page) => {
      const questions: string[] = []
      page.on('dialog', async (dialog) => {
        questions.push(dialog.type())
        await dialog.dismiss()
      })
      await open(page)
      await page.keyboard.type('a secret')
      await page.getByLabel('Protect with a password').check()
      await create(page).click()
      const link = await savedLink(page)
      await page.getByRole('button', { name: 'Copy the link', exact: true }).click()
      await page.getByText('Copied.').waitFor()
      await page.getByRole('link', { name: 'Open' }).click()
      await expect.poll(() => questions).toEqual(['beforeunload'])
      await page.getByRole('button', { name: 'Copy the password' }).click()
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toHaveLength(24)
      await page.getByRole('link', { name: 'Open' }).click()
      await page.waitForURL(link)
      expect(questions).toHaveLength(1)
    })
  })

  it('asks for a password where there is none', async () => {
    await withPage(ada, async (page) => {
      await open(page)
      await box(page).fill('x')
      await page.getByLabel('Protect with a password').check()
      await page.getByLabel('Password', { exact: true }).fill('')
      await create(page).click()
      expect(await page.getByRole('alert').textContent()).toContain('Type a password')
      await page.getByRole('button', { name: 'Generate password' }).click()
      const field = page.getByLabel('Password', { exact: true })
      expect(await field.inputValue()).toHaveLength(24)
      await page.getByRole('button', { name: 'Show' }).click()
      expect(await field.getAttribute('type')).toBe('password')
    })
  })

  it('that can not be loaded is said to, and nothing is lost or sent', async () => {
    await withPage(ada, async (page) => {
      const posts: Request[] = []
      page.on('request', (request) => request.method() === 'POST' && posts.push(request))
      await page.route('**/jwe-worker-*.js', (route) => route.abort())
      await open(page)
      await box(page).fill('kept')
      await page.getByLabel('Protect with a password').check()
      await create(page).click()
      await page.getByRole('alert').filter({ hasText: 'could not be loaded' }).waitFor()
      expect(posts).toEqual([])
      await page.unroute('**/jwe-worker-*.js')
      await create(page).click()
      await savedLink(page)
    })
  })

  it('is not offered where the page did not come safely, and it is said why', async () => {
    await withPage(ada, async (page) => {
      await page.addInitScript(() => Object.defineProperty(globalThis, 'isSecureContext', { value: false }))
      await open(page)
      expect(await page.getByLabel('Protect with a password').isDisabled()).toBe(true)
      await page.getByText('only on pages that come by HTTPS').waitFor()
      await expectComplete(page)
      await box(page).fill('open to all')
      await create(page).click()
      expect((await documentAt(await savedLink(page))).settings.encrypted).toBe(false)
    })
  })
})

describe.each([
  ['light', 390],
  ['dark', 390],
  ['light', 1440],
  ['dark', 1440],
] as const)('in %s, %i pixels wide', (colorScheme, width) => {
  it('every state is accessible and fits', async () => {
    const phone = width < 500
    const options = {
      ...ada,
      colorScheme,
      viewport: { width, height: 844 },
      hasTouch: phone,
      isMobile: phone,
    }
    await withPage(options, async (page) => {
      await open(page)
      const focused = await box(page).evaluate((element) => element === document.activeElement)
      expect(focused).toBe(!phone)
      await expectComplete(page)
      await box(page).fill(
        `// a comment that is much longer than a phone is wide, and then some more words of it\nconst answer: number = 42\nexport function greet(name: string) {\n  return \`Hello, \${name}\` // 😀\n}\n`,
      )
      await page.getByLabel('Language').fill('typescript')
      await page.locator('.tok-keyword').first().waitFor()
      await page.getByText('Settings', { exact: true }).click()
      await page.getByLabel('Protect with a password').check()
      await expectComplete(page)
      await create(page).click()
      await savedLink(page)
      await page.getByRole('img', { name: 'QR code of the link' }).waitFor()
      await expectComplete(page)
    })
  })
})
