import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { createRandom, KNOWN_SECRETS } from '../../shared/scan/corpus/shapes.ts'
import { expectComplete } from '../support/browser.ts'
import {
  clickAt,
  codeEditor,
  codeEditorText,
  fetchText,
  holdSave,
  isFocused,
  openCreatePage,
  paste,
  shareButton,
  shareDocument,
} from '../support/code-editor-page.ts'
import { openTestSite, type TestSite } from '../support/test-site.ts'

let site: TestSite
let ada: BrowserContextOptions

beforeAll(async () => {
  site = await openTestSite()
  ada = await site.signIn('Ada-Lovelace')
})

const random = createRandom(9)
const aws = KNOWN_SECRETS['aws-id']?.(random) ?? ''
const LOG = `09:00:01 INFO 93.184.10.5 signed in as mara@keller.de
09:00:02 WARN retrying with ${aws}
09:00:03 INFO 145.20.30.40 password=Wint3r!2026
09:00:04 INFO 93.184.10.5 signed out
`
const REDACTED = `09:00:01 INFO [ip 1] signed in as [email 1]
09:00:02 WARN retrying with [key 1: AWS]
09:00:03 INFO [ip 2] password=[password 1]
09:00:04 INFO [ip 1] signed out
`

const control = (page: Page) => page.locator('.scan > summary')
const redact = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 720 } }
const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** Pictures of it for people, if somebody asks for them. */
const shoot = async (page: Page, name: string) => {
  const folder = process.env.SECRETS_SCREENSHOTS
  if (!folder) return
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png` })
  }
}

describe.each([
  ['desktop', DESKTOP],
  ['phone', PHONE],
])('on a %s', (screen, options) => {
  it('a log is pasted, redacted and shared with four gestures', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await paste(page, LOG)
      await control(page).click()
      await expectComplete(page)
      await shoot(page, `list-${screen}`)
      await redact(page, 'Redact all').click()
      await expect.poll(() => codeEditorText(page)).toBe(REDACTED)
      await control(page).waitFor({ state: 'hidden' })
      await shoot(page, `redacted-${screen}`)
      expect(await fetchText(await shareDocument(page))).toBe(REDACTED)
    }, options)
  })
})

describe('the control for secrets', () => {
  it('appears with a finding, names it, and leaves with it', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await paste(page, 'nothing here\n')
      await paste(page, 'from 93.184.10.5\n')
      await control(page).waitFor()
      expect(await control(page).innerText()).toBe('1 address')
      await page.keyboard.press('Control+a')
      await page.keyboard.type('nothing')
      await control(page).waitFor({ state: 'hidden' })
    }, DESKTOP)
  })

  it('goes to a finding, redacts one, and undo brings it back', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await paste(page, LOG)
      await control(page).click()
      expect(await control(page).innerText()).toBe('2 secrets, 3 addresses')
      await page.getByRole('button', { name: 'Wi•••• line 3', exact: true }).click()
      expect(await isFocused(page)).toBe(true)
      await page.keyboard.type('x')
      await expect.poll(() => codeEditorText(page)).toContain('password=x\n')
      await page.keyboard.press('Control+z')
      await control(page).click()
      await redact(page, 'Redact 2 IP addresses').click()
      await expect.poll(() => codeEditorText(page)).toContain('04 INFO [ip 1] signed out')
      expect(await codeEditorText(page)).toContain(aws)
      await codeEditor(page).focus()
      await page.keyboard.press('Control+z')
      await expect.poll(() => codeEditorText(page)).toBe(LOG)
    }, DESKTOP)
  })

  it('ignores what the user ignores, but not what comes later', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await paste(page, LOG)
      await control(page).click()
      await redact(page, 'Ignore').click()
      await control(page).waitFor({ state: 'hidden' })
      await paste(page, 'password=Summ3r!2027\n')
      await control(page).waitFor()
      expect(await control(page).innerText()).toBe('1 secret')
    }, DESKTOP)
  })

  it('offers to encrypt instead', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await paste(page, LOG)
      await control(page).click()
      await redact(page, 'Encrypt instead').click()
      await page.getByRole('checkbox', { name: 'Encrypt with a password', checked: true }).waitFor()
    }, DESKTOP)
  })

  it('changes nothing while the text is being saved', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await paste(page, LOG)
      await control(page).waitFor()
      const fail = await holdSave(page)
      await shareButton(page).click()
      await page.getByRole('status').filter({ hasText: 'Saving…' }).waitFor()
      await clickAt(page, control(page))
      expect(await page.locator('details[open]').count()).toBe(0)
      await fail()
      expect(await codeEditorText(page)).toBe(LOG)
      await control(page).click()
      await redact(page, 'Redact all').click()
      await expect.poll(() => codeEditorText(page)).toBe(REDACTED)
      expect(await fetchText(await shareDocument(page))).toBe(REDACTED)
    }, DESKTOP)
  })

  it('redacts nothing that is being saved already', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await paste(page, LOG)
      await control(page).click()
      const fail = await holdSave(page)
      await page.evaluate(() => {
        const status = document.querySelector('#form-status')
        const refused = new Promise<void>((resolve) => {
          const check = () => status?.textContent === 'Wait until this is saved.' && resolve()
          if (status) new MutationObserver(check).observe(status, { childList: true })
        })
        // The worker answers once the save has begun.
        for (const button of document.querySelectorAll<HTMLElement>('.scan button'))
          if (button.textContent === 'Redact all') button.click()
        document.querySelector('form')?.requestSubmit()
        return refused
      })
      expect(await codeEditorText(page)).toBe(LOG)
      await fail()
    }, DESKTOP)
  })

  it('asks once before a document with a secret becomes public', async () => {
    await site.withPage(
      async (page) => {
        await openCreatePage(page)
        await paste(page, LOG)
        await page.locator('#more-menu > summary').click()
        await page.getByLabel('Visibility').selectOption('public')
        await shareButton(page).click()
        await page.getByText('it has 1 AWS key, 1 password').waitFor()
        await shoot(page, 'public')
        expect(await fetchText(await shareDocument(page))).toBe(LOG)
      },
      { ...DESKTOP, ...ada },
    )
  })
})

describe('several files', () => {
  it('are redacted together, also those out of sight', async () => {
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await page
        .locator('input[type="file"]')
        .setInputFiles(
          ['a.log', 'b.log'].map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(LOG) })),
        )
      await page.getByRole('tab', { name: 'b.log' }).waitFor()
      await control(page).click()
      expect(await control(page).innerText()).toBe('2 secrets, 3 addresses')
      await redact(page, 'Redact all').click()
      await control(page).waitFor({ state: 'hidden' })
      expect(await fetchText(await shareDocument(page))).toBe(
        `-- a.log --\n${REDACTED}-- b.log --\n${REDACTED}`,
      )
    }, DESKTOP)
  })
})

describe('the name of a file', () => {
  it('is looked at like a text, and redacted', async () => {
    const token = KNOWN_SECRETS.github?.(random) ?? ''
    const toFile = (name: string, text: string) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(text),
    })
    await site.withPage(async (page) => {
      await openCreatePage(page)
      await page
        .locator('input[type="file"]')
        .setInputFiles([toFile('a.txt', 'nothing\n'), toFile(`${token}.txt`, `b ${token}\n`)])
      await control(page).click()
      expect(await control(page).innerText()).toBe('1 secret')
      await page
        .getByRole('button', { name: 'GitHub key ghp_•••• the name of file 2', exact: true })
        .waitFor()
      await expectComplete(page)
      await shoot(page, 'names')
      await redact(page, 'Redact all').click()
      await control(page).waitFor({ state: 'hidden' })
      await page.getByText('Undo brings it back, but not in names of files.').waitFor()
      expect(await fetchText(await shareDocument(page))).toBe(
        '-- a.txt --\nnothing\n-- [key 1: GitHub].txt --\nb [key 1: GitHub]\n',
      )
    }, DESKTOP)
  })
})

/** Lets a test end the page's workers. */
const keepWorkers = () => {
  const Original = globalThis.Worker
  globalThis.Worker = class extends Original {
    constructor(...options: ConstructorParameters<typeof Worker>) {
      super(...options)
      addEventListener('end-workers', () => this.dispatchEvent(new ErrorEvent('error')))
    }
  }
}

const endWorkers = (page: Page) => page.evaluate(() => dispatchEvent(new Event('end-workers')))

describe('a worker that dies', () => {
  it('is replaced with the next change by one that scans all', async () => {
    await site.withPage(async (page) => {
      await page.addInitScript(keepWorkers)
      await openCreatePage(page)
      await paste(page, LOG)
      await control(page).click()
      await redact(page, 'Ignore').click()
      await control(page).waitFor({ state: 'hidden' })
      await endWorkers(page)
      await paste(page, 'more\n')
      await control(page).click()
      expect(await control(page).innerText()).toBe('2 secrets, 3 addresses')
      await endWorkers(page)
      await control(page).waitFor({ state: 'hidden' })
      await paste(page, 'more\n')
      await control(page).click()
      await redact(page, 'Redact all').click()
      await expect.poll(() => codeEditorText(page)).toBe(`${REDACTED}more\nmore\n`)
    }, DESKTOP)
  })

  it('keeps nobody from sharing, even if no other can be loaded', async () => {
    await site.withPage(
      async (page) => {
        await page.addInitScript(keepWorkers)
        await openCreatePage(page)
        await paste(page, LOG)
        await control(page).click()
        await page.route('**/highlight-worker-*.js', (route) => route.abort())
        await endWorkers(page)
        await control(page).waitFor({ state: 'hidden' })
        await page.locator('#more-menu > summary').click()
        await page.getByLabel('Visibility').selectOption('public')
        expect(await fetchText(await shareDocument(page))).toBe(LOG)
      },
      { ...DESKTOP, ...ada },
    )
  })
})

describe('what looks for secrets', () => {
  it('is loaded once there is text', async () => {
    await site.withPage(async (page) => {
      const scripts: Promise<string>[] = []
      page.on('response', (response) => {
        if (response.url().endsWith('.js')) scripts.push(response.text())
      })
      const isLoaded = async () => (await Promise.all(scripts)).join('').includes('Not every secret')
      await openCreatePage(page)
      await page.waitForLoadState('networkidle')
      expect(await isLoaded()).toBe(false)
      await paste(page, 'hello')
      await expect.poll(isLoaded).toBe(true)
    }, DESKTOP)
  })
})
