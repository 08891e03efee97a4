import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectComplete, LOOKS } from './support/browser.ts'
import { alertWith, enter, PASSWORD, type Stage, startStage } from './support/secret.ts'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
})

afterAll(() => stage.end())

describe('where the browser can not decrypt', () => {
  it.each([
    ['without a secure connection', 'isSecureContext', 'did not come over a secure connection'],
    ['without WebCrypto', 'subtle', 'can not decrypt by itself'],
  ])('the page says why, and the server opens the document: %s', async (_, missing, why) => {
    const sealed = await stage.createSealed('by the server', PASSWORD)
    const once = await stage.createSealed('by the server, once', PASSWORD, { instant_delete: true })
    await stage.withPage(async (page) => {
      await page.addInitScript((name) => {
        const owner = name === 'subtle' ? Crypto.prototype : window
        Object.defineProperty(owner, name, { value: undefined })
      }, missing)
      await page.goto(`/${sealed.id}`)
      await page.getByText(why).waitFor()
      await expectComplete(page)
      await enter(page, 'wrong')
      await alertWith(page, 'not the password')
      await page.goto(`/${sealed.id}#${encodeURIComponent(PASSWORD)}`)
      await page.getByRole('button', { name: 'Show the document' }).click()
      await page.getByText('by the server').waitFor()
      expect(page.url()).toBe(`${stage.service.base}/${sealed.id}`)
      await page.goto(`/${once.id}`)
      await page.getByText(why).waitFor()
      await enter(page, PASSWORD)
      await page.getByText('by the server, once').waitFor()
    })
  })

  it('without scripts says who sees the password, and what a # in a link is', async () => {
    const sealed = await stage.createSealed('no script', PASSWORD)
    const once = await stage.createSealed('no script, once', PASSWORD, { instant_delete: true })
    const plain = await stage.create('no script, no password, once', { instant_delete: true })
    await stage.withPage(
      async (page) => {
        for (const { id } of [sealed, once]) {
          await page.goto(`/${id}`)
          await page.getByText('The password is sent to this server').waitFor()
          await page.getByText('what follows the # is the password').waitFor()
          await enter(page, 'wrong')
          await alertWith(page, 'This is not the password')
          await enter(page, PASSWORD)
          await page.locator('.text').getByText('no script').waitFor()
        }
        await page.goto(`/${plain.id}`)
        expect(await page.getByText('password').count()).toBe(0)
        await page.getByRole('button', { name: 'Read and delete' }).click()
        await page.getByRole('status').filter({ hasText: 'now deleted' }).waitFor()
        await page.getByText('no script, no password, once').waitFor()
      },
      { javaScriptEnabled: false },
    )
  })

  it('because a part of the page is not there, somebody is told, and can try again', async () => {
    const { id, password = '' } = await stage.create('in the end', { encrypted: true })
    await stage.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.route('**/envelope-worker-*', (route) => route.abort())
      await enter(page, password)
      await alertWith(page, 'could not be loaded')
      await page.unroute('**/envelope-worker-*')
      await page.keyboard.press('Enter')
      await page.getByText('in the end').waitFor()
    })
  })
})

describe('for everybody', () => {
  it.each(LOOKS)('every state is accessible and fits: %s, %i pixels wide', async (colorScheme, width) => {
    const long = 'a line that is much longer than a phone is wide '.repeat(10)
    const sealed = await stage.createSealed(`${long}\n`.repeat(30), PASSWORD)
    const once = await stage.createSealed(`${long}\n`.repeat(30), PASSWORD, { instant_delete: true })
    await stage.withPage(
      async (page) => {
        for (const { id } of [sealed, once]) {
          await page.goto(`/${id}`)
          await expectComplete(page)
          await enter(page, 'wrong')
          await page.getByRole('alert').waitFor()
          await expectComplete(page)
          await enter(page, PASSWORD)
          await page.getByRole('heading', { name: id }).waitFor()
          await expectComplete(page)
          const copy = id === sealed.id ? 'Copy link with password' : 'Copy'
          await page.getByRole('button', { name: copy, exact: true }).click()
          await page.getByText('Copied.').waitFor()
          await expectComplete(page)
        }
        await page.goto(`/${sealed.id}#${encodeURIComponent(PASSWORD)}`)
        await page.getByRole('heading', { name: sealed.id }).waitFor()
        await expectComplete(page)
        expect((await page.goto(`/${once.id}`))?.status()).toBe(404)
        await expectComplete(page)
      },
      {
        colorScheme,
        viewport: { width, height: 844 },
        permissions: ['clipboard-read', 'clipboard-write'],
      },
    )
  })

  it('everything is done by keyboard alone', async () => {
    const { id } = await stage.createSealed('by keyboard', PASSWORD, { instant_delete: true })
    await stage.withPage(async (page) => {
      await page.goto(`/${id}`)
      await page.keyboard.type('wrong')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await alertWith(page, 'Nothing was deleted')
      // The field has the focus again, and what was wrong in it is selected.
      await page.keyboard.insertText(PASSWORD)
      await page.keyboard.press('Enter')
      await page.getByText('by keyboard').waitFor()
      await page.keyboard.press('Tab')
      const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
      expect(download.suggestedFilename()).toBe(`${id}.txt`)
    })
  })
})
