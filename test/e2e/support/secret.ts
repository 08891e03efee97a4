import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import {
  CHOSEN_PASSWORD_ITERATIONS,
  deriveClaimToken,
  encryptJwe,
  hashClaimToken,
  parseJwe,
} from '../../../src/shared/jwe.ts'
import { startBrowser, watchPage } from './browser.ts'
import { askDocuments, type Created, createDocument, demoKey } from './documents.ts'
import { type Service, startService } from './service.ts'
import { WITH_SECRET } from './session.ts'

export const PASSWORD = 'pä#ss%wörd 😀'
/** What a page could change by mistake: line breaks, markup, NUL, astral characters. */
export const SECRET = 'line one\r\n<b>line</b> two 😀\u0000\n'

/** A service with an account, and a browser. */
export interface Stage {
  readonly service: Service
  readonly create: (content: string, settings: object) => Promise<Created>
  /** As a browser makes a document whose password the service never sees. */
  readonly createSealed: (text: string, password: string, settings?: object) => Promise<Created>
  /** The document as its creator reads it, which deletes nothing. */
  readonly read: (id: string) => Promise<Created>
  /** Changes a document as another program of its creator does. */
  readonly edit: (id: string, change: object) => Promise<void>
  readonly remove: (id: string) => Promise<void>
  readonly statusOf: (path: string, init?: RequestInit) => Promise<number>
  readonly viewsOf: (id: string) => Promise<number>
  readonly withPage: (
    journey: (page: Page) => Promise<void>,
    options?: BrowserContextOptions,
  ) => Promise<void>
  readonly end: () => Promise<void>
}

export async function startStage(): Promise<Stage> {
  const [service, browser]: [Service, Browser] = await Promise.all([
    startService(undefined, WITH_SECRET),
    startBrowser(),
  ])
  const key = demoKey(service)
  const ask = (path: string, method: string, body?: object) => askDocuments(service, key, path, method, body)
  const create: Stage['create'] = (content, settings) => createDocument(service, key, content, settings)
  return {
    service,
    create,
    createSealed: async (text, password, settings = {}) => {
      const bytes = new TextEncoder().encode(text)
      const envelope = await encryptJwe(bytes, password, CHOSEN_PASSWORD_ITERATIONS)
      const token = await deriveClaimToken(password, parseJwe(envelope).header)
      return create(envelope, {
        encrypted: true,
        client_encrypted: true,
        ...('instant_delete' in settings && { claim_hash: await hashClaimToken(token) }),
        ...settings,
      })
    },
    read: (id) => ask(`/${id}`, 'GET'),
    edit: async (id, change) => {
      await ask('', 'PATCH', { id, ...change })
    },
    remove: async (id) => {
      await fetch(`${service.base}/v1/document/${id}`, { method: 'DELETE', headers: { Authorization: key } })
    },
    statusOf: async (path, init) => (await fetch(service.base + path, init)).status,
    viewsOf: async (id) => {
      const response = await fetch(`${service.base}/v1/document/${id}`)
      return ((await response.json()) as { data: Created }).data.views
    },
    withPage: (journey, options = {}) => watchPage(browser, service.base, options, journey),
    end: async () => {
      await browser.close()
      await service.stop()
    },
  }
}

/** All that leaves a page from now on, as text. */
export function record(page: Page): string[] {
  const sent: string[] = []
  page.on('request', (request) => {
    sent.push(request.url(), JSON.stringify(request.headers()), request.postData() ?? '')
  })
  return sent
}

/** The text of the document that a page shows. */
export const shownText = (page: Page) => page.locator('.text code').textContent()

export async function enter(page: Page, password: string): Promise<void> {
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
}

/** Waits until a page says that something went wrong. */
export const alertWith = (page: Page, words: string) =>
  page.getByRole('alert').filter({ hasText: words }).waitFor()
