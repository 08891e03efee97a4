import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { getCopied } from '../support/browser.ts'
import { ROOT } from '../support/service.ts'
import { openTestSite } from '../support/test-site.ts'

const site = await openTestSite()

/** Returns the languages whose examples of creating a document are visible. */
const getVisibleLanguages = async (page: Page): Promise<string[]> => {
  const languages = ['curl', 'javascript', 'python']
  const visible = await Promise.all(
    languages.map((language) => page.locator(`#create-${language}`).isVisible()),
  )
  return languages.filter((_, index) => visible[index])
}

describe('the reference', () => {
  it('shows examples in the language chosen by keyboard, without scripts', async () => {
    await site.withPage(
      async (page) => {
        await page.goto('/docs')
        expect(await getVisibleLanguages(page)).toEqual(['curl'])
        await page.getByRole('radio', { name: 'curl' }).focus()
        await page.keyboard.press('ArrowRight')
        await page.locator('#create-javascript').waitFor()
        expect(await getVisibleLanguages(page)).toEqual(['javascript'])
        await page.keyboard.press('ArrowRight')
        await page.locator('#create-python').waitFor()
        expect(await getVisibleLanguages(page)).toEqual(['python'])
      },
      { javaScriptEnabled: false },
    )
  })

  it('links from its contents to each operation, and from there to objects', async () => {
    await site.withPage(async (page) => {
      await page.goto('/docs')
      const anchors = await page
        .locator('main a[href^="#"]')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
      expect(anchors).toContain('#createDocument')
      expect(anchors).toContain('#CreatedDocument')
      const missing = await page.evaluate(
        (hrefs) => hrefs.filter((href) => !document.getElementById(href.slice(1))),
        anchors,
      )
      expect(missing).toEqual([])
    })
  })

  it('has unique ids, and says nothing that it doesn’t know', async () => {
    const html = await (await fetch(`${site.service.base}/docs`)).text()
    expect(html).not.toContain('undefined')
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  it('copies an example', async () => {
    await site.withPage(async (page) => {
      await page.goto('/docs')
      // The script shows the button.
      await page.getByRole('button', { name: 'Copy: Share a text', exact: true }).click()
      await page.getByRole('status').filter({ hasText: 'Copied.' }).waitFor()
      expect(getCopied(page)).toBe(await page.locator('#create-curl').textContent())
    })
  })
})

const ADDRESS = `${site.service.base}/v1/openapi.json`

describe('/v1/openapi.json', () => {
  it('is the document that the build wrote, for scripts of any origin', async () => {
    const response = await fetch(ADDRESS)
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toMatch(/^application\/json\b/)
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
    const text = await response.text()
    expect(text).toBe((await readFile(join(ROOT, 'dist/client/assets/openapi.json'), 'utf8')).trim())
    expect(JSON.parse(text).openapi).toBe('3.1.1')
  })

  it('is not sent again if it has not changed', async () => {
    const tag = (await fetch(ADDRESS, { method: 'HEAD' })).headers.get('ETag') ?? ''
    expect(tag).not.toBe('')
    expect((await fetch(ADDRESS, { headers: { 'If-None-Match': tag } })).status).toBe(304)
  })

  it('names no host, so it is valid for every server', async () => {
    const { servers } = (await (await fetch(ADDRESS)).json()) as { servers: { url: string }[] }
    expect(servers.map(({ url }) => new URL(url, ADDRESS).href)).toEqual([`${site.service.base}/`])
  })

  it('is at the address in the greeting, which also links to the reference', async () => {
    const { data } = (await (await fetch(`${site.service.base}/v1`)).json()) as {
      data: { documentation: string; openapi: string }
    }
    expect(data.openapi).toBe(ADDRESS)
    expect((await fetch(data.documentation)).status).toBe(200)
  })
})
