import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { startBrowser } from '../../scripts/support/browser.ts'
import {
  chooseLanguage,
  codeEditor,
  openCreatePage,
  shareDocument,
  shareToast,
} from './support/code-editor-page.ts'
import { openTestSite } from './support/test-site.ts'

const site = await openTestSite()

/** Notes in the page when the colours of a text are known. */
const observe = () => {
  const Native = Worker
  globalThis.Worker = class extends Native {
    constructor(...options: ConstructorParameters<typeof Worker>) {
      super(...options)
      this.addEventListener('message', ({ data }) => {
        if (typeof data === 'object' && 'tokens' in data) document.documentElement.dataset.parsed = 'true'
      })
    }
  }
}

it('the page after sharing starts with the colours of the editor', () =>
  site.withPage(
    async (page) => {
      await page.addInitScript(observe)
      await openCreatePage(page)
      await codeEditor(page).fill('const answer = 42\n')
      await chooseLanguage(page, 'JavaScript')
      await page.route('/', async (route) => {
        if (route.request().method() === 'POST') {
          await page.locator('html[data-parsed]').waitFor({ state: 'attached' })
          // From now on, no page can parse a text.
          await page.route('**/assets/immutable/highlight-worker-*.js', (script) => script.abort())
        }
        await route.continue()
      })
      await shareDocument(page)
      await page.waitForFunction(() => CSS.highlights.has('tok-keyword'))
    },
    // Tabs are reused by options, and this one is changed for good.
    { locale: 'en-NZ' },
  ))

it('the message shows the link, and becomes small when nobody uses it', () =>
  site.withPage(async (page) => {
    await openCreatePage(page)
    await codeEditor(page).fill('a text')
    await page.clock.install()
    await shareDocument(page)
    const toast = shareToast(page)
    const link = toast.getByLabel('Link', { exact: true })
    expect(await link.inputValue()).toBe(page.url())
    await link.blur()
    await page.clock.runFor(20_000)
    await link.waitFor({ state: 'hidden' })
    await toast.getByRole('button', { name: 'Show' }).click()
    await toast.getByRole('button', { name: 'Undo' }).waitFor()
    await page.clock.runFor(20_000)
    // The focus is in it.
    expect(await link.isVisible()).toBe(true)
  }))

/** Lets a browser open the service under another host, without TLS, as on another device of a network. */
async function startProxy(base: string): Promise<{ readonly server: string; readonly stop: () => void }> {
  const { hostname, port } = new URL(base)
  const proxy = createServer((asked, answered) => {
    const { pathname, search, host } = new URL(asked.url ?? '', 'http://regent.test')
    const forwarded = request(
      { hostname, port, path: pathname + search, method: asked.method, headers: { ...asked.headers, host } },
      (answer) => {
        answered.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(answered)
      },
    )
    asked.pipe(forwarded)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port: proxyPort } = proxy.address() as AddressInfo
  return { server: `http://127.0.0.1:${proxyPort}`, stop: () => proxy.close() }
}

it('without TLS, a document can be shared, undone, edited and deleted', async () => {
  const proxy = await startProxy(site.service.base)
  // Not the browser of the other tests: it would report that headers for secure pages are ignored.
  const browser = await startBrowser()
  try {
    const page = await browser.newPage({ proxy: { server: proxy.server } })
    await page.goto('http://regent.test/')
    expect(await page.evaluate(() => isSecureContext)).toBe(false)
    await codeEditor(page).fill('a text')
    await shareDocument(page)
    const toast = shareToast(page)
    expect(await toast.getByLabel('Link', { exact: true }).inputValue()).toBe(page.url())
    await toast.getByRole('button', { name: 'QR' }).click()
    await page.getByRole('img', { name: 'QR code for the link' }).waitFor()
    await page.getByRole('link', { name: 'Edit' }).waitFor()
    await page.getByRole('button', { name: 'Delete document' }).waitFor()
    await toast.getByRole('button', { name: 'Undo' }).click()
    await page.waitForURL('http://regent.test/')
  } finally {
    await browser.close()
    proxy.stop()
  }
})
