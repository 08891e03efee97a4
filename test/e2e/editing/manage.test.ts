import { describe, expect, it } from 'vitest'
import { expectCompleteInLooks } from '../support/browser.ts'
import { codeEditor, fetchText, save } from '../support/code-editor-page.ts'
import { signIn } from '../support/session.ts'
import { enterPassword, openTestSite } from '../support/test-site.ts'

const site = await openTestSite()
const creator = await signIn(site.service.folder, 'demo')
const editor = await site.signIn('Grace-Hopper')

const getEntityTag = async (id: string): Promise<string | null> =>
  (await fetch(`${site.service.base}/v1/document/${id}`, { method: 'HEAD' })).headers.get('ETag')

const TEXTS = ['\r\n\r\none 😀\r\n</textarea>\r\n', '\n\na\rb\r\nc\n', '\uFEFFa\0b']

describe('saving without a change', () => {
  it.each([
    ['with scripts', {}],
    ['without scripts', { javaScriptEnabled: false }],
  ])('keeps line breaks, emoji, markup and control characters: %s', async (_, options) => {
    const documents = await Promise.all(TEXTS.map((text) => site.create(text)))
    const getEntityTags = () => Promise.all(documents.map(({ id }) => getEntityTag(id)))
    const before = await getEntityTags()
    await site.withPage(
      async (page) => {
        for (const { id } of documents) {
          await page.goto(`/${id}/edit`)
          await save(page, id)
        }
      },
      { ...options, ...creator },
    )
    expect(await getEntityTags()).toEqual(before)
  })

  it('keeps a long text', async () => {
    const text = `<&>"'`.repeat(1000).concat('\r\n').repeat(400)
    const { id } = await site.create(text)
    const before = await getEntityTag(id)
    await site.withPage(async (page) => {
      await page.goto(`/${id}/edit`)
      await save(page, id)
    }, creator)
    expect(await getEntityTag(id)).toBe(before)
    expect((await fetchText(`${site.service.base}/${id}`)) === text).toBe(true)
  })
})

describe('the editors page', () => {
  it('suggests usernames while one is typed', async () => {
    const { id } = await site.create('x')
    await site.withPage(async (page) => {
      await page.goto(`/${id}/editors`)
      await page.getByLabel('Username').pressSequentially('gra')
      const suggestions = page.locator('#usernames option')
      await expect
        .poll(() =>
          suggestions.evaluateAll((options) => options.map((option) => option.getAttribute('value'))),
        )
        .toEqual(['Grace-Hopper'])
    }, creator)
  })
})

describe('every page for changing a document', () => {
  const LONG_LINE = 'a line that is much longer than a phone is wide '.repeat(10)

  it('is accessible and fits for its creator', async () => {
    const { id } = await site.create(`${LONG_LINE}\n`.repeat(5), {
      editors: ['Grace-Hopper'],
      long_urls: true,
    })
    const encrypted = await site.create('x', { encrypted: true })
    await site.withPage(async (page) => {
      await page.goto(`/${id}/delete`)
      await expectCompleteInLooks(page)
      await page.goto(`/${id}`)
      await page.getByRole('button', { name: 'Delete document' }).click()
      await page.getByRole('dialog').waitFor()
      await expectCompleteInLooks(page)

      await page.goto(`/${id}/editors`)
      await page.getByLabel('Username').fill('nobody-here')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').waitFor()
      await expectCompleteInLooks(page)

      await page.goto(`/${encrypted.id}/edit`)
      await expectCompleteInLooks(page)
      await enterPassword(page, encrypted.password ?? '')
      await codeEditor(page).waitFor()
      await expectCompleteInLooks(page)

      await page.goto(`/${id}/edit`)
      await codeEditor(page).fill(`${LONG_LINE}, and mine`)
      await expectCompleteInLooks(page)
      await site.edit(id, { content: LONG_LINE })
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('alert').waitFor()
      await expectCompleteInLooks(page)
    }, creator)
  })

  it('is accessible and fits for an editor', async () => {
    const { id } = await site.create(LONG_LINE, { editors: ['Grace-Hopper'] })
    await site.withPage(async (page) => {
      for (const path of ['editors', 'delete']) {
        await page.goto(`/${id}/${path}`)
        await expectCompleteInLooks(page)
      }
    }, editor)
  })
})
