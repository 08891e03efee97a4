import type { BrowserContextOptions, Page } from 'playwright-core'
import {
  deriveClaimToken,
  encryptJwe,
  GENERATED_PASSWORD_ITERATIONS,
  hashClaimToken,
  parseJwe,
} from '../../../src/shared/jwe.ts'
import { addAccount } from './accounts.ts'
import { watchPage } from './browser.ts'
import { type Created, createDocument, requestDocument } from './documents.ts'
import { type Service, startService } from './service.ts'
import { signIn } from './session.ts'

export const PASSWORD = 'pä#ss%wörd 😀'
/** Contains what a page could change by mistake: line breaks, markup, NUL, astral characters. */
export const TEXT = 'line one\r\n<b>line</b> two 😀\u0000\n'

/** A running service and the documents of its demo account. */
export interface TestSite {
  readonly service: Service
  readonly create: (content: string, settings?: object) => Promise<Created>
  /**
   * Creates a document as a browser does, so that the service never sees the password. A browser would use more
   * iterations for a chosen password, which takes longer.
   */
  readonly createEncrypted: (
    text: string,
    password: string,
    settings?: object,
    iterations?: number,
  ) => Promise<Created>
  /** Reads a document as its creator, which never burns it. */
  readonly read: (id: string) => Promise<Created>
  /** Edits a document by the API. */
  readonly edit: (id: string, change: object) => Promise<void>
  readonly remove: (id: string) => Promise<void>
  readonly getStatus: (path: string, init?: RequestInit) => Promise<number>
  readonly getViews: (id: string) => Promise<number>
  readonly withPage: (
    journey: (page: Page) => Promise<void>,
    options?: BrowserContextOptions,
  ) => Promise<void>
  /** Adds a confirmed account, and returns a browser profile that is signed in to it. */
  readonly signIn: (username: string) => Promise<BrowserContextOptions>
}

/** Opens the site that all test files share. */
export async function openTestSite(): Promise<TestSite> {
  const service = await startService()
  const key = service.demoKey
  const request = (path: string, method: string, body?: object) =>
    requestDocument(service, key, path, method, body)
  const create: TestSite['create'] = (content, settings) => createDocument(service, key, content, settings)
  return {
    service,
    create,
    createEncrypted: async (text, password, settings = {}, iterations = GENERATED_PASSWORD_ITERATIONS) => {
      const bytes = new TextEncoder().encode(text)
      const jwe = await encryptJwe(bytes, password, iterations)
      const token = await deriveClaimToken(password, parseJwe(jwe).header)
      return create(jwe, {
        encrypted: true,
        client_encrypted: true,
        claim_hash: await hashClaimToken(token),
        ...settings,
      })
    },
    read: (id) => request(`/${id}`, 'GET'),
    edit: async (id, change) => {
      await request('', 'PATCH', { id, ...change })
    },
    remove: async (id) => {
      await fetch(`${service.base}/v1/document/${id}`, { method: 'DELETE', headers: { Authorization: key } })
    },
    getStatus: async (path, init) => (await fetch(service.base + path, init)).status,
    getViews: async (id) => {
      const response = await fetch(`${service.base}/v1/document/${id}`)
      return ((await response.json()) as { data: Created }).data.views
    },
    withPage: (journey, options = {}) => watchPage(service.base, options, journey),
    signIn: async (username) => {
      await addAccount(service.env, username)
      return signIn(service.env, username)
    },
  }
}

/** Records everything that the page sends from now on: addresses, headers and bodies. */
export function recordRequests(page: Page): string[] {
  const sent: string[] = []
  page.on('request', (request) => {
    sent.push(request.url(), JSON.stringify(request.headers()), request.postData() ?? '')
  })
  return sent
}

/** Returns the displayed text of the document. */
export const shownText = (page: Page) => page.locator('.text code').textContent()

export async function enterPassword(page: Page, password: string): Promise<void> {
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

export const waitForAlert = (page: Page, message: string) =>
  page.getByRole('alert').filter({ hasText: message }).waitFor()
