import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CERTIFICATE_FILE } from '../server/support/certificate.ts'
import { type ServerProcess, startProcess } from '../server/support/process.ts'
import { getLink, type MailServer, startMailServer } from '../server/support/smtp.ts'
import { getCopied, watchPage } from './support/browser.ts'
import {
  chooseEncryption,
  documentText,
  fetchDocument,
  fetchText,
  fillCodeEditor,
  openCreatePage,
  shareDocument,
} from './support/code-editor-page.ts'
import { freePort } from './support/service.ts'

// What people do most, on the server of one machine as an operator starts it.

let mailServer: MailServer
let server: ServerProcess

beforeAll(async () => {
  mailServer = await startMailServer()
  const port = await freePort()
  server = await startProcess(await mkdtemp(join(tmpdir(), 'regent-journeys-')), {
    PORT: String(port),
    SITE_URL: `http://127.0.0.1:${port}`,
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'Regent <regent@example.org>',
    NODE_EXTRA_CA_CERTS: CERTIFICATE_FILE,
  })
})

afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await mailServer[Symbol.asyncDispose]()
})

const withPage = (journey: (page: Page) => Promise<void>) => watchPage(server.url, {}, journey)

async function write(page: Page, text: string): Promise<void> {
  await openCreatePage(page)
  await fillCodeEditor(page, text)
}

it('a visitor signs up by email, and what they share is theirs', () =>
  withPage(async (page) => {
    await page.goto('/sign-up')
    await page.getByLabel('Email').fill('ada@example.org')
    await page.getByLabel('Username').fill('ada-lovelace')
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    await page.goto(getLink(mailServer))
    await page.getByRole('link', { name: 'Account' }).waitFor()
    await write(page, 'mine')
    const link = await shareDocument(page)
    await documentText(page, 'mine').waitFor()
    expect(await fetchText(link)).toBe('mine')
    expect((await fetchDocument(link)).creator).toMatchObject({ username: 'ada-lovelace' })
  }))

it('a document is encrypted in the browser, and burns after the first read', async () => {
  let link = ''
  await withPage(async (page) => {
    await write(page, 'for your eyes only')
    await chooseEncryption(page)
    await page.getByLabel('Delete after first read').check()
    await shareDocument(page)
    link = getCopied(page)
  })
  await withPage(async (page) => {
    await page.goto(link)
    await page.getByRole('button', { name: 'Read and delete' }).click()
    await documentText(page, 'for your eyes only').waitFor()
    expect((await page.goto(link.replace(/#.*/, '?again')))?.status()).toBe(404)
  })
})
