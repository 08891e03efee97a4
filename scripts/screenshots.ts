import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { STATES } from './screenshots/states.ts'
import { createContent, type Viewer, type World } from './screenshots/world.ts'
import { addUser, setAdmin } from './support/accounts.ts'
import { startBrowser } from './support/browser.ts'
import { applyMigrations, openStorage } from './support/database.ts'
import { findEmailedLink, launchService } from './support/launch.ts'
import { parseOptions } from './support/script.ts'
import { CommandError, ROOT, runScript } from './support/wrangler.ts'

const HELP = `Takes screenshots of every page in every state. Starts its own service and stops it again.

Usage: npm run screenshots -- [options]

  --only TEXT          only states whose name contains TEXT; may be repeated
  --width PIXELS       only this window width; 320 is a desktop zoomed to 400%
  --forced-colors      with forced colours, as in Windows high contrast mode
  --out DIR            the output folder (default: screenshots)

By default, each state is saved four times: NAME-390-light.png, NAME-390-dark.png, NAME-1440-light.png and
NAME-1440-dark.png.
`

const PHONE = 390
const WIDTHS = [PHONE, 1440]

const TOUCH = { isMobile: true, hasTouch: true } as const

interface Service {
  readonly base: string
  readonly printed: () => string
  readonly stop: () => Promise<void>
}

async function startService(folder: string): Promise<Service> {
  let printed = ''
  const onOutput = (chunk: string) => {
    printed += chunk
  }
  // So that pages offer GitHub. Nothing signs in with it.
  const options = ['--var', 'GITHUB_CLIENT_ID:id', '--var', 'GITHUB_CLIENT_SECRET:secret']
  return { ...(await launchService({ folder, options, onOutput })), printed: () => printed }
}

/** Returns the link in the latest email to an address, which the service prints. */
async function getEmailedLink({ base, printed }: Service, to: string): Promise<string> {
  const deadline = Date.now() + 10_000
  while (Date.now() < deadline) {
    const link = findEmailedLink(printed(), base, to)
    if (link !== undefined) return link
    await new Promise((wait) => setTimeout(wait, 20))
  }
  throw new CommandError(`No email was sent to ${to}`)
}

const getEmail = (viewer: string) => `${viewer}@example.org`

/** Signs in through the site, and returns the browser's storage state. */
async function signIn(browser: Browser, service: Service, email: string) {
  const context = await browser.newContext({ baseURL: service.base })
  const page = await context.newPage()
  await page.goto('/sign-in?return=/sign-out')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send sign-in link' }).click()
  await page.getByRole('status').waitFor()
  await page.goto(await getEmailedLink(service, email))
  await page.waitForURL(/sign-out/)
  const state = await context.storageState()
  await context.close()
  return state
}

/**
 * Makes the window as high as the page. (Chromium's full-page screenshots ignore mobile emulation.) Heights that
 * depend on the window stay as they were.
 */
async function expandToPage(page: Page): Promise<void> {
  const size = page.viewportSize()
  if (!size) return
  const height = await page.evaluate(() => {
    const { documentElement: root } = document
    const editorHeight = getComputedStyle(root).getPropertyValue('--code-editor-height')
    const inPixels = (_: string, share: string) => `${(Number(share) * innerHeight) / 100}px`
    root.style.setProperty('--code-editor-height', editorHeight.replace(/([\d.]+)svh/g, inPixels))
    return root.scrollHeight
  })
  await page.setViewportSize({ ...size, height })
  await page.evaluate(() => scrollTo(0, 0))
  // The code editor measures itself after layout. Without scripts there is none, and waiting would never end.
  if ((await page.locator('.cm-editor').count()) === 0) return
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}

async function main(): Promise<void> {
  const values = parseOptions(HELP, {
    only: { type: 'string', multiple: true },
    width: { type: 'string' },
    'forced-colors': { type: 'boolean' },
    out: { type: 'string' },
  })
  const out = values.out ?? join(ROOT, 'screenshots')
  const forcedColors = values['forced-colors'] ? 'active' : 'none'
  const variants = (values.width ? [Number(values.width)] : WIDTHS).flatMap((width) =>
    (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
  )
  const wanted = values.only ?? ['']
  const states = STATES.filter(({ name }) => wanted.some((text) => name.includes(text)))
  await mkdir(out, { recursive: true })
  const folder = await mkdtemp(join(tmpdir(), 'regent-'))
  const target = { remote: false, persistTo: folder }
  const keys = new Map<Viewer, string>()
  await applyMigrations(target)
  const storage = openStorage(target)
  for (const viewer of ['ada', 'newcomer', 'judge', 'collector'] as const) {
    const { key } = await addUser(storage, { username: viewer, email: getEmail(viewer), confirmed: true })
    keys.set(viewer, key)
  }
  await setAdmin(storage, 'judge', true)
  const [service, browser] = await Promise.all([startService(folder), startBrowser()])
  try {
    const sessions = new Map<Viewer, Awaited<ReturnType<typeof signIn>>>()
    const world: World = {
      base: service.base,
      getKey: (viewer) => keys.get(viewer) ?? '',
      getContextOptions: (viewer) => {
        const storageState = sessions.get(viewer)
        return { baseURL: service.base, ...(storageState && { storageState }) }
      },
      getEmailedLink: (to) => getEmailedLink(service, to),
    }
    await createContent(world)
    for (const viewer of keys.keys()) sessions.set(viewer, await signIn(browser, service, getEmail(viewer)))
    const failed: string[] = []
    const take = async (width: number, colorScheme: 'light' | 'dark') => {
      for (const { name, viewer = 'anyone', whole = true, context: more, open } of states) {
        const viewport = { width, height: width < 1000 ? 844 : 900 }
        const look = {
          viewport,
          colorScheme,
          forcedColors,
          reducedMotion: 'reduce',
          ...(width === PHONE && TOUCH),
          ...more,
        } as const
        const context = await browser.newContext({ ...world.getContextOptions(viewer), ...look })
        const page = await context.newPage()
        try {
          await open(page, world)
          if (whole) await expandToPage(page)
          await page.screenshot({ path: join(out, `${name}-${width}-${colorScheme}.png`) })
        } catch (cause) {
          // The other screenshots are still useful.
          failed.push(`${name}-${width}-${colorScheme}: ${cause}`)
        } finally {
          await context.close()
        }
      }
    }
    await Promise.all(variants.map(({ width, colorScheme }) => take(width, colorScheme)))
    if (failed.length > 0) throw new CommandError(`These states failed:\n${failed.join('\n')}`)
  } finally {
    await browser.close()
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  }
  process.stdout.write(`${states.length * variants.length} screenshots saved in ${out}\n`)
}

await runScript(main)
