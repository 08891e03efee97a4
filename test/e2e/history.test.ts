import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { deriveClaimToken, hashClaimToken, parseJwe } from '../../src/shared/jwe.ts'
import { formatArchive } from '../../src/shared/txtar.ts'
import { expectCompleteInLooks, getCopied } from './support/browser.ts'
import { signIn } from './support/session.ts'
import {
  enterPassword,
  openTestSite,
  PASSWORD,
  recordRequests,
  shownText,
  waitForAlert,
} from './support/test-site.ts'
import { press } from './support/viewer-page.ts'

const site = await openTestSite()
const demo = await signIn(site.service.env, 'demo')

const withPage = (journey: (page: Page) => Promise<void>): Promise<void> => site.withPage(journey, demo)

const OLD = `${'unchanged\n'.repeat(40)}const text = 'the old word ${'x'.repeat(200)}'\n`
const NEW = `${'unchanged\n'.repeat(40)}const text = 'the new word ${'x'.repeat(200)}'\nadded <b>\n`

describe('the history', () => {
  it('is read, compared and restored by keyboard', async () => {
    const { id } = await site.create(OLD, { language: 'javascript' })
    await site.edit(id, { content: NEW })
    await withPage(async (page) => {
      await page.goto(`/${id}`)
      await press(page, 'More')
      await page.getByRole('link', { name: 'History', exact: true }).click()
      await page.getByRole('heading', { name: 'History' }).waitFor()
      expect(await page.locator('.comparison del').textContent()).toBe('old')
      expect(await page.locator('.comparison ins').allTextContents()).toEqual(['new'])
      // With its styles.
      await page.waitForLoadState()
      // The view depends on the width: side by side, unless the window is narrow or the reader wants another.
      const left = async (line: string) => (await page.locator(line).first().boundingBox())?.x
      expect(await left('.line.added')).toBeGreaterThan((await left('.line.removed')) ?? 0)
      await page.getByRole('link', { name: 'Unified' }).press('Enter')
      await page.waitForURL(/view=unified/)
      expect(await left('.line.added')).toBe(await left('.line.removed'))
      const fold = page.locator('summary')
      await fold.press('Enter')
      await expect.poll(() => page.locator('details .line.both').first().isVisible()).toBe(true)
      await page.keyboard.press('ArrowLeft')
      await page.waitForURL(/history\/1\?/)
      expect(await shownText(page)).toBe(OLD)
      await page.waitForFunction(() => CSS.highlights.size > 0)
      await page.keyboard.press('ArrowRight')
      await page.waitForURL(/history\/2\?/)
      await page.keyboard.press('ArrowLeft')
      expect(await page.locator('.steps').isVisible()).toBe(false)
      // One bar has what the version and its text offer.
      const bar = page.locator('.history-choices')
      await bar.getByRole('button', { name: 'Copy', exact: true }).waitFor()
      await bar.getByRole('button', { name: 'Restore' }).press('Enter')
      await page.getByText('Version restored.').waitFor()
    })
    expect((await site.read(id)).content).toBe(OLD)
  })

  it('compares a version with the one that the reader chooses in a menu', async () => {
    const { id } = await site.create('one\n')
    for (const content of ['two\n', 'three\n']) await site.edit(id, { content })
    await withPage(async (page) => {
      await page.goto(`/${id}/history`)
      await page.getByRole('button', { name: 'Compared with version 2' }).press('Enter')
      await page.getByRole('navigation', { name: 'Compare with' }).getByText('Version 1').press('Enter')
      await page.getByRole('button', { name: 'Compared with version 1' }).waitFor()
      expect(await page.locator('.line.removed .line-text').allTextContents()).toEqual(['one'])
    })
  })

  it('colours the lines of both versions, each in its own language', async () => {
    const { id } = await site.create('old = 1\nsame = 3\n', { language: 'python' })
    await site.edit(id, { content: 'new = 2\nsame = 3\n' })
    await withPage(async (page) => {
      await page.goto(`/${id}/history`)
      const getNumbers = () =>
        page.evaluate(() =>
          [...(CSS.highlights.get('tok-number') ?? [])].map(
            ({ startContainer, startOffset, endOffset }) =>
              `${startContainer.parentElement?.closest('.line')?.className} ${startContainer.textContent?.slice(startOffset, endOffset)}`,
          ),
        )
      await expect
        .poll(async () =>
          (await getNumbers())
            .filter((text) => !text.includes('again'))
            .toSorted()
            .join(),
        )
        .toBe('line added 2,line both 3,line removed 1')
    })
  })

  it('has its versions behind a button on a phone, also without scripts', async () => {
    const { id } = await site.create(OLD)
    await site.edit(id, { content: NEW })
    await site.withPage(
      async (page) => {
        await page.goto(`/${id}/history`)
        const oldest = page.getByRole('navigation', { name: 'Versions' }).getByText('Version 1')
        expect(await oldest.isVisible()).toBe(false)
        await page.getByRole('button', { name: 'Version 2' }).click()
        await oldest.click()
        await page.waitForURL(/history\/1$/)
        expect(await page.getByRole('navigation', { name: 'Versions' }).isVisible()).toBe(false)
      },
      { ...demo, viewport: { width: 390, height: 844 }, javaScriptEnabled: false },
    )
  })
})

describe('the history of an encrypted document', () => {
  it('is decrypted and compared in the browser: neither text nor password leaves it', async () => {
    const { id } = await site.createEncrypted(OLD, PASSWORD)
    const other = await site.createEncrypted(NEW, 'another password')
    await site.edit(id, {
      content: (await site.read(other.id)).content,
      settings: { client_encrypted: true },
    })
    await withPage(async (page) => {
      const sent = recordRequests(page)
      await page.goto(`/${id}/history/compare`)
      await enterPassword(page, 'wrong')
      await waitForAlert(page, 'Wrong password')
      await enterPassword(page, PASSWORD)
      await waitForAlert(page, 'Version 2 has another password.')
      await enterPassword(page, 'another password')
      await page.locator('.comparison').waitFor()
      expect(await page.locator('.comparison ins').allTextContents()).toEqual(['new'])
      expect(await page.locator('.line.added').last().textContent()).toContain('added <b>')
      // Neither is kept, since both were typed.
      expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual([])
      await page.goto(`/${id}/history/1`)
      await enterPassword(page, PASSWORD)
      await page.locator('section.text').waitFor()
      expect(await shownText(page)).toBe(OLD)
      // The one of a link is, for what it opens.
      await page.goto(`/${id}#${encodeURIComponent('another password')}`)
      await page.locator('.document-header').waitFor()
      await page.goto(`/${id}/history/2`)
      await waitForAlert(page, 'Version 1 has another password.')
      // The creator needs no password to restore.
      await page.goto(`/${id}/history/1`)
      await page.getByRole('button', { name: 'Restore' }).click()
      await page.getByText('Version restored.').waitFor()
      for (const secret of ['old word', PASSWORD, encodeURIComponent(PASSWORD), 'another password'])
        expect(sent.join('\n')).not.toContain(secret)
    })
  })

  it('is compared file by file, each in the colours of its language', async () => {
    const files = [
      { name: 'main.py', content: 'import os\n' },
      { name: 'a.go', content: 'package a\n' },
    ]
    const changed = [
      { name: 'main.py', content: 'import sys\n' },
      { name: 'b.go', content: 'package a\n' },
    ]
    const settings = { language: 'txtar' }
    const { id } = await site.createEncrypted(formatArchive(files), PASSWORD, settings)
    const other = await site.createEncrypted(formatArchive(changed), PASSWORD, settings)
    await site.edit(id, {
      content: (await site.read(other.id)).content,
      settings: { client_encrypted: true },
    })
    const open = await site.create(formatArchive(files), settings)
    await site.edit(open.id, { content: formatArchive(changed) })
    for (const shown of [id, open.id])
      await withPage(async (page) => {
        await page.goto(`/${shown}/history/compare`)
        if (shown === id) await enterPassword(page, PASSWORD)
        await page.locator('.comparison').waitFor()
        expect(await page.locator('h2.changed-file').allTextContents()).toEqual([
          'main.py',
          'b.go renamed from a.go',
        ])
        expect(await page.locator('.comparison ins').allTextContents()).toEqual(['sys'])
        await expect
          .poll(() => page.evaluate(() => CSS.highlights.get('tok-keyword')?.size ?? 0))
          .toBeGreaterThanOrEqual(2)
        await expectCompleteInLooks(page)
      })
  })

  it('shows and copies a version whose lines end with CR', async () => {
    const { id } = await site.createEncrypted('one\rtwo\r\u202Ethree', PASSWORD)
    const second = await site.createEncrypted('second', PASSWORD)
    const jwe = (await site.read(second.id)).content
    await site.edit(id, { content: jwe, settings: { client_encrypted: true } })
    await withPage(async (page) => {
      await page.goto(`/${id}/history/1`)
      await enterPassword(page, PASSWORD)
      await page.locator('section.text').waitFor()
      expect(await page.locator('.banner a').getAttribute('href')).toBe('#L3')
      await press(page, 'Copy')
      await page.getByText('Copied.').waitFor()
      expect(getCopied(page)).toBe('one\rtwo\r\u202Ethree')
    })
  })

  it('is restored by an editor who decrypts it', async () => {
    const editor = await site.signIn('history-editor')
    const { id } = await site.createEncrypted('first', PASSWORD, { editors: ['history-editor'] })
    const second = await site.createEncrypted('second', PASSWORD)
    const jwe = (await site.read(second.id)).content
    const claim = await hashClaimToken(await deriveClaimToken(PASSWORD, parseJwe(jwe).header))
    await site.edit(id, { content: jwe, settings: { client_encrypted: true, claim_hash: claim } })
    await site.withPage(async (page) => {
      await page.goto(`/${id}/history/1`)
      await enterPassword(page, PASSWORD)
      await page.getByRole('button', { name: 'Restore' }).click()
      await page.getByText('Version restored.').waitFor()
      await page.goto(`/${id}`)
      await enterPassword(page, PASSWORD)
      await page.getByText('first').first().waitFor()
    }, editor)
  })
})
