import { describe, expect, it } from 'vitest'
import { expectComplete } from '../support/browser.ts'
import { holdScript } from '../support/code-editor-page.ts'
import { enterPassword, openTestSite } from '../support/test-site.ts'
import { getCurrentMatch, openFind, press, waitForFindStatus } from '../support/viewer-page.ts'

const site = await openTestSite()

describe('Find', () => {
  it('goes from match to match, forwards and backwards', async () => {
    const filler = Array.from({ length: 200 }, (_, index) => `line ${index}`).join('\n')
    const { id } = await site.create(`Needle\n${filler}\nneedle needle\n${filler}\nNEEDLE (a+b)`)
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await (await openFind(page)).fill('needle')
      await waitForFindStatus(page, '1 of 4')
      expect(await getCurrentMatch(page)).toEqual({
        text: 'Needle',
        line: 'Needle',
        visible: true,
        highlighted: 1,
      })
      await page.keyboard.press('Enter')
      await waitForFindStatus(page, '2 of 4')
      await expect
        .poll(() => getCurrentMatch(page))
        .toMatchObject({ line: 'needle needle', visible: true, highlighted: 2 })
      await press(page, 'Next match')
      await press(page, 'Next match')
      await waitForFindStatus(page, '4 of 4')
      await expect.poll(() => getCurrentMatch(page)).toMatchObject({ text: 'NEEDLE', visible: true })
      await press(page, 'Next match')
      await waitForFindStatus(page, '1 of 4')
      await press(page, 'Previous match')
      await waitForFindStatus(page, '4 of 4')
      await (await openFind(page)).fill('nowhere')
      await waitForFindStatus(page, 'No matches')
      expect(await getCurrentMatch(page)).toBeNull()
      await (await openFind(page)).fill('line 7')
      await page.keyboard.press('Shift+Enter')
      await page.keyboard.press('Escape')
      expect(await page.getByRole('searchbox').count()).toBe(0)
      expect(await getCurrentMatch(page)).toBeNull()
    })
  })

  it('is closed by Escape even before its code is loaded, and works once it is opened again', async () => {
    const { id } = await site.create('a needle\n')
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      const release = await holdScript(page, 'shared')
      await press(page, 'Find')
      await page.keyboard.type('needle')
      await page.keyboard.press('Escape')
      await page.getByRole('searchbox').waitFor({ state: 'hidden' })
      release()
      await (await openFind(page)).fill('needle')
      await waitForFindStatus(page, '1 of 1')
      await press(page, 'Close')
      await page.getByRole('searchbox').waitFor({ state: 'hidden' })
      expect(await getCurrentMatch(page)).toBeNull()
    })
  })

  it('scrolls to a match far to the right on a phone, wrapped or not', async () => {
    const { id } = await site.create(`${'x'.repeat(5_000)} needle ${'y'.repeat(5_000)}\nshort\n`)
    await site.withPage(
      async (page) => {
        await page.goto(`/${id}`)
        await (await openFind(page)).fill('needle')
        await waitForFindStatus(page, '1 of 1')
        await expect.poll(() => getCurrentMatch(page)).toMatchObject({ text: 'needle', visible: true })
        await expectComplete(page)
        await page.keyboard.press('Escape')
        await press(page, 'Wrap')
        await page.locator('section.text:not(.wrapped)').waitFor()
        await (await openFind(page)).fill('needle')
        await waitForFindStatus(page, '1 of 1')
        await expect.poll(() => getCurrentMatch(page)).toMatchObject({ text: 'needle', visible: true })
      },
      { viewport: { width: 390, height: 844 } },
    )
  })

  it('searches rendered Markdown', async () => {
    const { id } = await site.create('# Title\n\n**needle**\n', { language: 'markdown' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.locator('article.rendered').waitFor()
      await (await openFind(page)).fill('needle')
      await waitForFindStatus(page, '1 of 1')
      expect(await page.locator('article.rendered').isVisible()).toBe(true)
    })
  })

  it('searches coloured terminal output without its escape sequences', async () => {
    const { id } = await site.create('\x1B[31mnee\x1B[32mdle\x1B[0m\n', { language: 'plaintext' })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.getByRole('button', { name: 'Terminal', pressed: true }).waitFor()
      await (await openFind(page)).fill('needle')
      await waitForFindStatus(page, '1 of 1')
      await press(page, 'Source')
      await waitForFindStatus(page, 'No matches')
    })
  })

  it('searches a decrypted document', async () => {
    const { id, password = '' } = await site.create('a needle\n', { encrypted: true })
    await site.withPage(async (page) => {
      await page.goto(`/${id}`)
      await enterPassword(page, password)
      await (await openFind(page)).fill('NEEDLE')
      await waitForFindStatus(page, '1 of 1')
      expect(await getCurrentMatch(page)).toMatchObject({ text: 'needle', visible: true })
    })
  })
})
