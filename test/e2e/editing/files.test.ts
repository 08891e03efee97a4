import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { formatArchive, parseArchive, type TextFile } from '../../../src/shared/txtar.ts'
import { expectComplete } from '../support/browser.ts'
import {
  chooseEncryption,
  chooseLanguage,
  clickAt,
  codeEditor,
  codeEditorText,
  decryptContent,
  fetchDocument,
  fetchText,
  fillCodeEditor,
  findDraft,
  holdSave,
  languageValue,
  openCreatePage,
  openFile,
  openMenu,
  paste,
  save,
  saveButton,
  shareDocument,
  sharedLink,
} from '../support/code-editor-page.ts'
import { signIn } from '../support/session.ts'
import { openTestSite, PASSWORD, type TestSite } from '../support/test-site.ts'

let site: TestSite
let ada: BrowserContextOptions

beforeAll(async () => {
  site = await openTestSite()
  ada = await site.signIn('Ada-Files')
})

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

const MAIN = { name: 'main.py', content: 'print(1)\n' }
const APP = { name: 'app.toml', content: 'a = 1\n' }

const tabs = (page: Page) => page.getByRole('tab')
const tab = (page: Page, name: string) => page.getByRole('tab', { name })
const tabNames = async (page: Page) => page.locator('.file-tab > .file-name, .file-rename').allTextContents()
const addFile = (page: Page) => page.getByRole('button', { name: '+ File' })
const title = (page: Page) => page.getByLabel('Title or file name')
const strip = (page: Page) => page.locator('[data-part="strip"]')

/** Drops files on the page. */
const drop = (page: Page, files: readonly TextFile[]) =>
  page.evaluate((files) => {
    const dataTransfer = new DataTransfer()
    for (const { name, content } of files) dataTransfer.items.add(new File([content], name))
    const options = { dataTransfer, bubbles: true, cancelable: true }
    document.querySelector('main')?.dispatchEvent(new DragEvent('drop', options))
  }, files)

/** Waits until the code editor shows a text that contains this. */
const waitForText = (page: Page, text: string) => codeEditor(page).filter({ hasText: text }).waitFor()

/** Holds back the script of the tabs, which is known by a class name: files of code have no names. */
async function holdTabs(page: Page) {
  const released = Promise.withResolvers<void>()
  let asked = false
  await page.route('**/assets/immutable/*.js', async (route) => {
    const response = await route.fetch()
    const body = await response.text()
    if (body.includes('file-rename')) {
      asked = true
      await released.promise
    }
    await route.fulfill({ response, body })
  })
  return { release: released.resolve, wasAsked: () => asked }
}

/** Saves a document as somebody else does while it's open in the editor. */
async function saveFirst(
  page: Page,
  id: string,
  change: { files: readonly TextFile[] } | { content: string },
) {
  const status = await page.evaluate(
    async (body) => {
      const headers = { 'Content-Type': 'application/json' }
      return (await fetch('/v1/document', { method: 'PATCH', headers, body })).status
    },
    JSON.stringify({ id, ...change }),
  )
  expect(status).toBe(200)
}

async function fetchFiles(link: string): Promise<TextFile[] | null> {
  expect((await fetchDocument(link)).settings.language).toBe('txtar')
  return parseArchive(await fetchText(link))
}

describe('a new document', () => {
  it('has nothing of several files in sight but one quiet button', async () => {
    await site.withPage(async (page) => {
      const { wasAsked } = await holdTabs(page)
      await openCreatePage(page)
      await fillCodeEditor(page, 'text')
      expect((await addFile(page).boundingBox())?.height).toBe(32)
      expect(await tabs(page).count()).toBe(0)
      expect(wasAsked()).toBe(false)
      await addFile(page).click()
      await expect.poll(wasAsked).toBe(true)
    })
  })

  it('takes no file and no title while it is being saved, and takes both if that fails', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await fillCodeEditor(page, 'text')
      const fail = await holdSave(page)
      await page.keyboard.press('Control+s')
      await page.getByRole('status').filter({ hasText: 'Saving…' }).waitFor()
      await drop(page, [MAIN])
      await page.getByRole('status').filter({ hasText: 'Wait until this is saved.' }).waitFor()
      await clickAt(page, title(page))
      await page.keyboard.type('too late')
      expect(await title(page).inputValue()).toBe('')
      await fail()
      await page.keyboard.type(' goes on')
      expect(await codeEditorText(page)).toBe('text goes on')
      expect(await page.getByRole('button', { name: 'Replace' }).count()).toBe(0)
      await title(page).fill('in time')
      await drop(page, [MAIN])
      await page.getByRole('button', { name: 'Replace' }).click()
      await waitForText(page, 'print(1)')
      expect(await fetchText(await shareDocument(page))).toBe(MAIN.content)
    })
  })

  it('is saved with the name that a file is being given', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await drop(page, [MAIN, APP])
      await waitForText(page, 'print(1)')
      await page.keyboard.press('F2')
      await page.keyboard.type('first')
      await page.keyboard.press('Control+s')
      expect(await fetchFiles(await sharedLink(page))).toEqual([{ ...MAIN, name: 'first.py' }, APP])
    })
  })

  it('takes two files that are dropped on it, and shares them with one more gesture', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await drop(page, [MAIN, APP])
      await waitForText(page, 'print(1)')
      expect(await tabNames(page)).toEqual(['main.py', 'app.toml'])
      const link = await shareDocument(page)
      expect(await fetchFiles(link)).toEqual([MAIN, APP])
      // Undo opens them again.
      await page.getByRole('button', { name: 'Undo' }).click()
      await waitForText(page, 'print(1)')
      expect(await tabNames(page)).toEqual(['main.py', 'app.toml'])
      await page.emulateMedia({ colorScheme: 'dark' })
      await expectComplete(page)
    })
  })

  it('asks where a file goes if a text is there', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await title(page).fill('notes.md')
      await paste(page, '# Notes\n')
      await drop(page, [MAIN])
      await page.getByRole('button', { name: 'Replace' }).click()
      await waitForText(page, 'print(1)')
      expect(await tabs(page).count()).toBe(0)
      await drop(page, [APP])
      await page.getByRole('button', { name: 'Add as file' }).click()
      await waitForText(page, 'a = 1')
      expect(await tabNames(page)).toEqual(['main.py', 'app.toml'])
      expect(await title(page).inputValue()).toBe('')
      // From now on, nothing has to be asked.
      await openFile(page, 'app.toml', 'b = 2\n')
      await tab(page, 'app-2.toml').waitFor()
      expect(await fetchFiles(await shareDocument(page))).toEqual([
        MAIN,
        APP,
        { name: 'app-2.toml', content: 'b = 2\n' },
      ])
    })
  })

  it('is written file by file, each with its language and its steps of undo', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await codeEditor(page).pressSequentially('one')
      await addFile(page).click()
      const name = page.getByLabel('File name', { exact: true })
      await name.fill('a\\b')
      await name.press('Enter')
      await page.getByRole('alert').filter({ hasText: 'Must not contain a backslash' }).waitFor()
      expect((await name.boundingBox())?.width).toBeGreaterThanOrEqual(120)
      await expectComplete(page)
      await name.fill('file-1')
      await name.press('Enter')
      await page.getByRole('alert').filter({ hasText: 'Another file has this name' }).waitFor()
      await name.fill('two.py')
      await name.press('Enter')
      await codeEditor(page).pressSequentially('two')
      await chooseLanguage(page, 'ruby')
      await tab(page, 'file-1').click()
      await waitForText(page, 'one')
      expect(await languageValue(page)).toBe('auto')
      await page.keyboard.press('Control+z')
      await page.keyboard.press('Control+z')
      expect(await codeEditorText(page)).toBe('')
      await page.keyboard.press('Control+y')
      await tab(page, 'two.py').click()
      await waitForText(page, 'two')
      expect(await languageValue(page)).toBe('ruby')
      expect(await fetchFiles(await shareDocument(page))).toEqual([
        { name: 'file-1', content: 'one' },
        { name: 'two.py', content: 'two', language: 'ruby' },
      ])
    })
  })

  it('has tabs that the keyboard moves, renames and removes, with Undo', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await drop(page, [MAIN, APP, { name: 'c.txt', content: 'c' }])
      await waitForText(page, 'print(1)')
      await tab(page, 'main.py').focus()
      await page.keyboard.press('ArrowRight')
      await waitForText(page, 'a = 1')
      await page.keyboard.press('Alt+Shift+ArrowRight')
      expect(await tabNames(page)).toEqual(['main.py', 'c.txt', 'app.toml'])
      await tab(page, 'main.py').dragTo(tab(page, 'c.txt'))
      expect(await tabNames(page)).toEqual(['c.txt', 'main.py', 'app.toml'])
      await tab(page, 'main.py').dragTo(tab(page, 'c.txt'))
      expect(await tabNames(page)).toEqual(['main.py', 'c.txt', 'app.toml'])
      // A click leads into the text.
      await tab(page, 'app.toml').click()
      await waitForText(page, 'a = 1')
      await page.keyboard.press('F2')
      await page.getByLabel('File name', { exact: true }).fill('config/app.toml')
      await page.keyboard.press('Enter')
      await tab(page, 'config/app.toml').focus()
      await page.keyboard.press('Delete')
      await strip(page).getByText('Removed “config/app.toml”.').waitFor()
      expect(await tabNames(page)).toEqual(['main.py', 'c.txt'])
      await tab(page, 'c.txt').press('Delete')
      // Back to one file, the row is gone.
      expect(await tabs(page).count()).toBe(0)
      expect(await title(page).inputValue()).toBe('main.py')
      await strip(page).getByRole('button', { name: 'Undo' }).click()
      expect(await tabNames(page)).toEqual(['main.py', 'c.txt'])
      expect(await fetchFiles(await shareDocument(page))).toEqual([MAIN, { name: 'c.txt', content: 'c' }])
    })
  })

  it('keeps its name if Escape ends the renaming, and its text if "+ File" is clicked twice at once', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await page.keyboard.type('import os\nprint(os.name)\n')
      await addFile(page).evaluate((button: HTMLElement) => {
        button.click()
        button.click()
      })
      await expect.poll(async () => (await tabNames(page)).length).toBeGreaterThan(1)
      // A new file asks for its name.
      await page.locator('.file-rename').press('Escape')
      const first = tabs(page).first()
      await first.click()
      await waitForText(page, 'print(os.name)')
      const [name = ''] = await tabNames(page)
      await first.focus()
      await page.keyboard.press('F2')
      await page.getByLabel('File name', { exact: true }).fill('secret.py')
      await page.keyboard.press('Escape')
      expect((await tabNames(page))[0]).toBe(name)
      const files = await fetchFiles(await shareDocument(page))
      expect(files?.[0]).toMatchObject({ name, content: expect.stringContaining('print(os.name)') })
    })
  })

  it('brings a removed file back beside one that has got its name', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await drop(page, [MAIN, APP])
      await waitForText(page, 'print(1)')
      await tab(page, 'app.toml').focus()
      await page.keyboard.press('Delete')
      await expect.poll(() => tabs(page).count()).toBe(0)
      await drop(page, [{ name: 'app.toml', content: 'b = 2\n' }])
      await page.getByRole('button', { name: 'Add as file' }).click()
      await tab(page, 'app.toml').waitFor()
      await page.locator('#file-removed').getByRole('button', { name: 'Undo' }).click()
      await tab(page, 'app-2.toml').waitFor()
      expect((await tabNames(page)).toSorted()).toEqual(['app-2.toml', 'app.toml', 'main.py'])
      expect(await fetchFiles(await shareDocument(page))).toHaveLength(3)
    })
  })

  it('keeps its files in the draft', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await drop(page, [MAIN, APP])
      await waitForText(page, 'print(1)')
      await expect.poll(async () => JSON.stringify(await findDraft(page))).toContain('-- app.toml --')
      await page.reload()
      await waitForText(page, 'print(1)')
      expect(await tabNames(page)).toEqual(['main.py', 'app.toml'])
      await page.getByRole('button', { name: 'Discard draft' }).click()
      await expect.poll(() => tabs(page).count()).toBe(0)
      expect(await codeEditorText(page)).toBe('')
    })
  })

  it('waits while the files of a document are duplicated again and again', async () => {
    const { id } = await site.create('-- main.py --\nprint(1)\n-- app.toml --\na = 1', { language: 'txtar' })
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await page.keyboard.type('a draft')
      for (let copies = 0; copies < 2; copies++) {
        await page.goto(`/${id}`)
        await page.locator('[popovertarget="more"]').click()
        await page.getByRole('button', { name: 'Duplicate' }).click()
        await page.getByText('This is a copy').waitFor()
        await waitForText(page, 'print(1)')
        await expect.poll(() => tabs(page).count()).toBeGreaterThan(0)
      }
      await shareDocument(page)
      await openCreatePage(page)
      expect(await codeEditorText(page)).toBe('a draft')
    })
  })

  it('is encrypted with its names', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await drop(page, [MAIN, APP])
      await waitForText(page, 'print(1)')
      const password = await chooseEncryption(page)
      const link = (await shareDocument(page)).split('#')[0] ?? ''
      const jwe = await fetchText(link)
      expect(await decryptContent(jwe, password)).toBe(formatArchive([MAIN, APP]))
      expect((await fetchDocument(link)).settings).toMatchObject({ language: 'txtar', encrypted: true })
    })
  })

  it('leaves out what is not text, and says so', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await page.locator('input[type="file"]').setInputFiles([
        { name: 'main.py', mimeType: '', buffer: Buffer.from('print(1)\n') },
        { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from([0x89, 0x50]) },
        { name: 'app.toml', mimeType: '', buffer: Buffer.from('a = 1\n') },
      ])
      await strip(page).getByText('Left out: logo.png (not text in UTF-8).').waitFor()
      expect(await tabNames(page)).toEqual(['main.py', 'app.toml'])
    })
  })

  it('lists many files with a search', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await drop(
        page,
        Array.from({ length: 12 }, (_, index) => ({ name: `file${index}.txt`, content: `text ${index}` })),
      )
      await waitForText(page, 'text 0')
      await page.locator('summary', { hasText: '12 files' }).click()
      await expectComplete(page)
      await page.getByLabel('Find a file').fill('file11')
      await page.keyboard.press('Enter')
      await waitForText(page, 'text 11')
      expect(await tab(page, 'file11.txt').getAttribute('aria-selected')).toBe('true')
    })
  })

  it('has a menu in place of tabs on a phone', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await fillCodeEditor(page, 'one')
      expect(await addFile(page).count()).toBe(0)
      await page.locator('#more-menu > summary').press('Enter')
      await addFile(page).press('Enter')
      await page.getByLabel('File name', { exact: true }).fill('two.py')
      await page.keyboard.press('Enter')
      const menu = page.locator('.file-menu > summary')
      await menu.filter({ hasText: 'two.py ▾ 2/2' }).click()
      const row = page.getByRole('button', { name: 'file-1', exact: true })
      expect((await row.boundingBox())?.height).toBe(48)
      await expectComplete(page)
      await page.getByRole('button', { name: 'Move two.py up' }).click()
      const names = page.locator('.file-list-name')
      expect(await names.allTextContents()).toEqual(['two.py', 'file-1'])
      await page.keyboard.press('ArrowDown')
      expect(await names.allTextContents()).toEqual(['file-1', 'two.py'])
      const handle = page.getByRole('button', { name: 'Move file-1 up' })
      const box = await handle.boundingBox()
      if (!box) throw new Error('The handle isn’t visible')
      await handle.hover()
      await page.mouse.down()
      await page.mouse.move(box.x + 10, box.y + 70, { steps: 4 })
      await page.mouse.up()
      expect(await names.allTextContents()).toEqual(['two.py', 'file-1'])
      await row.click()
      await waitForText(page, 'one')
      await menu.filter({ hasText: 'file-1 ▾ 2/2' }).click()
      await page.getByRole('button', { name: 'Remove two.py' }).click()
      await title(page).waitFor()
      expect(await title(page).inputValue()).toBe('file-1')
    }, PHONE)
    await site.withPage(
      async (page) => {
        await openCreatePage(page)
        expect(await addFile(page).count()).toBe(0)
        await openMenu(page, 'more-menu')
        await addFile(page).click()
        await page.getByLabel('File name', { exact: true }).waitFor()
      },
      { ...ada, ...PHONE },
    )
  })
})

describe('an existing document', () => {
  it('opens its files once it is decrypted', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await drop(page, [MAIN, APP])
      await waitForText(page, 'print(1)')
      const password = await chooseEncryption(page)
      const [link = ''] = (await shareDocument(page)).split('#')
      await page.goto(`${link}/edit`)
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Edit text' }).click()
      await tab(page, 'app.toml').click()
      await waitForText(page, 'a = 1')
      await tab(page, 'main.py').press('Delete')
      await save(page, new URL(link).pathname.slice(1))
      expect(await decryptContent(await fetchText(link), password)).toBe('a = 1\n')
      expect((await fetchDocument(link)).settings.language).toBe('toml')
    }, ada)
  })

  it('opens the files of an encrypted archive of which only the text tells', async () => {
    const { id } = await site.createEncrypted(formatArchive([MAIN, APP]), PASSWORD)
    await site.withPage(
      async (page) => {
        await page.goto(`/${id}/edit`)
        await page.getByLabel('Password').fill(PASSWORD)
        await page.getByRole('button', { name: 'Edit text' }).click()
        await tab(page, 'app.toml').click()
        await waitForText(page, 'a = 1')
        await tab(page, 'main.py').press('Delete')
        await save(page, id)
        const link = `${site.service.base}/${id}`
        expect(await decryptContent(await fetchText(link), PASSWORD)).toBe('a = 1\n')
      },
      await signIn(site.service.env, 'demo'),
    )
  })

  it('opens its files, and saves those that changed', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await drop(page, [MAIN, APP])
      await waitForText(page, 'print(1)')
      const link = await shareDocument(page)
      const id = new URL(link).pathname.slice(1)
      await page.goto(`${link}/edit`)
      await tab(page, 'app.toml').click()
      await waitForText(page, 'a = 1')
      await codeEditor(page).press('Control+End')
      await codeEditor(page).pressSequentially('b = 2')
      await page.locator('.file-tab[aria-selected="true"] > .file-dot').waitFor()
      expect(await page.locator('.file-dot:not([hidden])').count()).toBe(1)
      await save(page, id)
      expect(await fetchFiles(link)).toEqual([MAIN, { name: 'app.toml', content: 'a = 1\nb = 2' }])
    }, ada)
  })

  it('keeps the line breaks of each file', async () => {
    const batch = { name: 'a.bat', content: 'echo 1\r\necho 2\r\n' }
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await drop(page, [batch, APP])
      await waitForText(page, 'echo 1')
      const link = await shareDocument(page)
      expect(await fetchFiles(link)).toEqual([batch, APP])
      await page.goto(`${link}/edit`)
      await tab(page, 'app.toml').click()
      await waitForText(page, 'a = 1')
      await codeEditor(page).press('Control+End')
      await codeEditor(page).pressSequentially('b = 2')
      await save(page, new URL(link).pathname.slice(1))
      expect(await fetchFiles(link)).toEqual([batch, { name: 'app.toml', content: 'a = 1\nb = 2' }])
    }, ada)
  })

  it('saves what was typed before its files were opened', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await drop(page, [MAIN, APP])
      await waitForText(page, 'print(1)')
      const link = await shareDocument(page)
      const { release } = await holdTabs(page)
      await page.goto(`${link}/edit`)
      await codeEditor(page).press('Control+End')
      await codeEditor(page).pressSequentially('early')
      release()
      await tab(page, 'app.toml').waitFor()
      await save(page, new URL(link).pathname.slice(1))
      expect(await fetchFiles(link)).toEqual([MAIN, { name: 'app.toml', content: 'a = 1\nearly' }])
    }, ada)
  })

  it('merges what somebody else saved, file by file', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await drop(page, [MAIN, APP])
      await waitForText(page, 'print(1)')
      const link = await shareDocument(page)
      const id = new URL(link).pathname.slice(1)
      await page.goto(`${link}/edit`)
      await tab(page, 'app.toml').waitFor()
      await codeEditor(page).press('Control+End')
      await codeEditor(page).pressSequentially('mine = 1')
      const changed = [
        { name: 'app.toml', content: 'a = 2\n' },
        { name: 'new.txt', content: 'new' },
      ]
      await saveFirst(page, id, { files: [MAIN, ...changed] })
      await saveButton(page).click()
      await page.getByText('saved first').waitFor()
      expect(await tabNames(page)).toEqual(['main.py', 'app.toml', 'new.txt'])
      await save(page, id)
      expect(await fetchFiles(link)).toEqual([{ name: 'main.py', content: 'print(1)\nmine = 1' }, ...changed])
    }, ada)
  })

  it('merges files that were renamed or removed, and says which came back', async () => {
    const [removed, renamed] = [
      { name: 'c.txt', content: 'c\n' },
      { name: 'new.toml', content: 'a = 1\n' },
    ]
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await drop(page, [MAIN, APP, removed])
      await waitForText(page, 'print(1)')
      const link = await shareDocument(page)
      const id = new URL(link).pathname.slice(1)
      const removeLast = async () => {
        await tab(page, 'c.txt').focus()
        await page.keyboard.press('Delete')
      }
      await page.goto(`${link}/edit`)
      await tab(page, 'app.toml').click()
      await waitForText(page, 'a = 1')
      await codeEditor(page).press('Control+End')
      await codeEditor(page).pressSequentially('mine = 1')
      await removeLast()
      const back = { ...removed, content: 'c\ntheirs\n' }
      await saveFirst(page, id, { files: [MAIN, renamed, back] })
      await saveButton(page).click()
      const says = 'check your files, then save. “c.txt” was changed by them and removed by you: it’s back.'
      await page.getByText(says).waitFor()
      expect(await tabNames(page)).toEqual(['main.py', 'new.toml', 'c.txt'])
      expect(await page.getByText('Removed “c.txt”').count()).toBe(0)
      await save(page, id)
      const mine = { name: 'new.toml', content: 'a = 1\nmine = 1' }
      expect(await fetchFiles(link)).toEqual([MAIN, mine, back])
      // It's said even if nothing is left to save.
      await page.goto(`${link}/edit`)
      await removeLast()
      await saveFirst(page, id, { files: [MAIN, mine, removed] })
      await saveButton(page).click()
      await page.getByText(says).waitFor()
      await save(page, id)
      expect(await fetchFiles(link)).toEqual([MAIN, mine, removed])
    }, ada)
  })

  it('takes over languages and an order that somebody else chose', async () => {
    const [first, second, third] = [MAIN, APP, { name: 'LICENSE', content: 'text\n' }]
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await drop(page, [first, second, third])
      await waitForText(page, 'print(1)')
      const link = await shareDocument(page)
      const id = new URL(link).pathname.slice(1)
      await page.goto(`${link}/edit`)
      await tab(page, 'app.toml').waitFor()
      await codeEditor(page).press('Control+End')
      await codeEditor(page).pressSequentially('mine = 1')
      const theirs = [{ ...third, language: 'markdown' }, { ...first, language: 'ruby' }, second]
      await saveFirst(page, id, { files: theirs })
      await saveButton(page).click()
      await page.getByText('saved first').waitFor()
      expect(await tabNames(page)).toEqual(['LICENSE', 'main.py', 'app.toml'])
      expect(await languageValue(page)).toBe('ruby')
      await save(page, id)
      const merged = { name: 'main.py', content: 'print(1)\nmine = 1', language: 'ruby' }
      expect(await fetchFiles(link)).toEqual([theirs[0], merged, second])
    }, ada)
  })

  it('merges a text that somebody else saved into the first file', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await fillCodeEditor(page, 'one')
      const link = await shareDocument(page)
      const id = new URL(link).pathname.slice(1)
      await page.goto(`${link}/edit`)
      await waitForText(page, 'one')
      await addFile(page).click()
      await page.getByLabel('File name', { exact: true }).press('Enter')
      await codeEditor(page).pressSequentially('two')
      await saveFirst(page, id, { content: 'theirs' })
      await saveButton(page).click()
      await page.getByText('saved first').waitFor()
      expect(await tabNames(page)).toEqual(['file-1', 'file-2'])
      await save(page, id)
      expect(await fetchFiles(link)).toMatchObject([
        { name: 'file-1', content: 'theirs' },
        { name: 'file-2', content: 'two' },
      ])
    }, ada)
  })

  it('merges a text that became several files, and files that became one text', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await fillCodeEditor(page, 'import sys\nprint(sys.argv)\n')
      const link = await shareDocument(page)
      const id = new URL(link).pathname.slice(1)
      await page.goto(`${link}/edit`)
      await waitForText(page, 'import sys')
      await codeEditor(page).press('Control+End')
      await codeEditor(page).pressSequentially('mine = 1')
      const script = { name: 'show.py', content: 'import os\nimport sys\nprint(sys.argv)\n' }
      await saveFirst(page, id, { files: [APP, script] })
      await saveButton(page).click()
      await page.getByText('saved first').waitFor()
      expect(await tabNames(page)).toEqual(['app.toml', 'show.py'])
      await save(page, id)
      const merged = { ...script, content: `${script.content}mine = 1` }
      expect(await fetchFiles(link)).toEqual([APP, merged])
      // And back: I keep one file, and they changed both.
      await page.goto(`${link}/edit`)
      await tab(page, 'show.py').waitFor()
      await tab(page, 'app.toml').focus()
      await page.keyboard.press('Delete')
      await expect.poll(() => tabs(page).count()).toBe(0)
      await codeEditor(page).press('Control+End')
      await codeEditor(page).pressSequentially('\nmore = 2')
      const changed = { ...APP, content: 'a = 2\n' }
      await saveFirst(page, id, { files: [changed, { ...merged, content: `# theirs\n${merged.content}` }] })
      await saveButton(page).click()
      await page.getByText('“app.toml” was changed by them and removed by you: it’s back.').waitFor()
      expect(await tabNames(page)).toEqual(['app.toml', 'show.py'])
      expect(await title(page).inputValue()).toBe('')
      await save(page, id)
      expect(await fetchFiles(link)).toEqual([
        changed,
        { ...script, content: `# theirs\n${merged.content}\nmore = 2` },
      ])
    }, ada)
  })

  it('is duplicated with its files', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await drop(page, [MAIN, APP])
      await waitForText(page, 'print(1)')
      await page.goto(await shareDocument(page))
      await page.getByRole('button', { name: 'More', exact: true }).first().click()
      await page.getByRole('button', { name: 'Duplicate' }).click()
      await waitForText(page, 'print(1)')
      expect(await tabNames(page)).toEqual(['main.py', 'app.toml'])
    }, ada)
  })

  it('opens as text if it is no list of files', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await paste(page, 'no archive\n-- a --\n')
      await chooseLanguage(page, 'txtar')
      const link = await shareDocument(page)
      await page.goto(`${link}/edit`)
      await waitForText(page, 'no archive')
      expect(await tabs(page).count()).toBe(0)
    }, ada)
  })
})
