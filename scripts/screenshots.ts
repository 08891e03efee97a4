import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { addUser, setAdmin } from './accounts.ts'
import { startBrowser } from './browser.ts'
import { applySchema } from './database.ts'
import { STATES } from './screenshots/states.ts'
import { prepare, type Visitor, type World } from './screenshots/world.ts'
import { CommandError, ROOT, runScript } from './wrangler.ts'

const HELP = `Takes pictures of every page, in every state, of a service of its own that it starts and stops.

Usage: npm run screenshots -- [options]

  --only TEXT          the states alone whose names have this in them
  --width PIXELS       in windows of this width alone; 320 is what a desktop zoomed to 400 % shows
  --forced-colors      in the few colours that some people choose for everything
  --out DIR            another folder than screenshots/

Each state is there four times, unless another width is asked for: NAME-390-light.png, NAME-390-dark.png, NAME-1440-light.png, NAME-1440-dark.png
`

const PHONE = 390
const WIDTHS = [PHONE, 1440]

const TOUCH = { isMobile: true, hasTouch: true } as const

const STARTS_WITHIN_MS = 90_000

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

interface Service {
  readonly base: string
  readonly printed: () => string
  readonly stop: () => Promise<void>
}

/** Starts the service as `npm run dev` does, and waits until it says where it is. */
async function startService(folder: string): Promise<Service> {
  const port = await freePort()
  const args = ['scripts/dev.ts', '--port', String(port), '--persist-to', folder]
  const child: ChildProcess = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let printed = ''
  await new Promise<void>((resolve, reject) => {
    const fail = () => reject(new CommandError(`The service did not start:\n${printed}`))
    const timer = setTimeout(fail, STARTS_WITHIN_MS)
    const read = (chunk: Buffer) => {
      printed += chunk
      if (!printed.includes('Ctrl+C stops it')) return
      clearTimeout(timer)
      resolve()
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', fail)
  })
  const stop = () => {
    child.kill('SIGTERM')
    return ended
  }
  return { base: `http://127.0.0.1:${port}`, printed: () => printed, stop }
}

/** The link of the latest mail to an address, which the service prints once it is sent. */
async function mailedLink({ base, printed }: Service, to: string): Promise<string> {
  const deadline = Date.now() + 10_000
  while (Date.now() < deadline) {
    const at = printed().lastIndexOf(`Mail to ${to}:`)
    const link = printed()
      .slice(at)
      .split('\n')
      .find((line) => line.startsWith(`${base}/`))
    if (at !== -1 && link !== undefined) return link
    await new Promise((wait) => setTimeout(wait, 20))
  }
  throw new CommandError(`No mail came to ${to}`)
}

const emailOf = (visitor: string) => `${visitor}@example.org`

/** Signs in as people do, and returns what the browser keeps of it. */
async function signIn(browser: Browser, service: Service, email: string) {
  const context = await browser.newContext({ baseURL: service.base })
  const page = await context.newPage()
  await page.goto('/sign-in?return=/sign-out')
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Send sign-in link' }).click()
  await page.getByRole('status').waitFor()
  await page.goto(await mailedLink(service, email))
  await page.waitForURL(/sign-out/)
  const state = await context.storageState()
  await context.close()
  return state
}

/**
 * Makes the window as high as the page. Pictures that Chromium takes of whole pages are those of a desktop, even of
 * a phone; what is measured by the window stays as high as it was.
 */
async function unfold(page: Page): Promise<void> {
  const size = page.viewportSize()
  if (!size) return
  const height = await page.evaluate(() => {
    const { documentElement: root } = document
    const writing = getComputedStyle(root).getPropertyValue('--writing')
    const inPixels = (_: string, share: string) => `${(Number(share) * innerHeight) / 100}px`
    root.style.setProperty('--writing', writing.replace(/([\d.]+)svh/g, inPixels))
    return root.scrollHeight
  })
  await page.setViewportSize({ ...size, height })
  await page.evaluate(() => scrollTo(0, 0))
  // The editor measures itself once it is laid out. A page without scripts has none, and would wait for ever.
  if ((await page.locator('.cm-editor').count()) === 0) return
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      width: { type: 'string' },
      'forced-colors': { type: 'boolean' },
      out: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) {
    process.stdout.write(HELP)
    return
  }
  const out = values.out ?? join(ROOT, 'screenshots')
  const forcedColors = values['forced-colors'] ? 'active' : 'none'
  const variants = (values.width ? [Number(values.width)] : WIDTHS).flatMap((width) =>
    (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
  )
  const states = STATES.filter(({ name }) => name.includes(values.only ?? ''))
  await mkdir(out, { recursive: true })
  const folder = await mkdtemp(join(tmpdir(), 'regent-'))
  const target = { remote: false, persistTo: folder }
  const keys = new Map<Visitor, string>()
  await applySchema(target)
  for (const visitor of ['ada', 'newcomer', 'judge', 'collector'] as const) {
    const { key } = await addUser(target, { username: visitor, email: emailOf(visitor), confirmed: true })
    keys.set(visitor, key)
  }
  await setAdmin(target, 'judge', true)
  const [service, browser] = await Promise.all([startService(folder), startBrowser()])
  try {
    const sessions = new Map<Visitor, Awaited<ReturnType<typeof signIn>>>()
    const world: World = {
      base: service.base,
      keyOf: (visitor) => keys.get(visitor) ?? '',
      browserOf: (visitor) => {
        const storageState = sessions.get(visitor)
        return { baseURL: service.base, ...(storageState && { storageState }) }
      },
      mailedLink: (to) => mailedLink(service, to),
    }
    await prepare(world)
    for (const visitor of keys.keys()) sessions.set(visitor, await signIn(browser, service, emailOf(visitor)))
    const missing: string[] = []
    const take = async (width: number, colorScheme: 'light' | 'dark') => {
      for (const { name, visitor = 'anyone', whole = true, context: more, open } of states) {
        const viewport = { width, height: width < 1000 ? 844 : 900 }
        const look = { viewport, colorScheme, forcedColors, ...(width === PHONE && TOUCH), ...more } as const
        const context = await browser.newContext({ ...world.browserOf(visitor), ...look })
        const page = await context.newPage()
        try {
          await open(page, world)
          if (whole) await unfold(page)
          await page.screenshot({ path: join(out, `${name}-${width}-${colorScheme}.png`) })
        } catch (cause) {
          // The others are worth looking at all the same.
          missing.push(`${name}-${width}-${colorScheme}: ${cause}`)
        } finally {
          await context.close()
        }
      }
    }
    await Promise.all(variants.map(({ width, colorScheme }) => take(width, colorScheme)))
    if (missing.length > 0) throw new CommandError(`These were not reached:\n${missing.join('\n')}`)
  } finally {
    await browser.close()
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  }
  process.stdout.write(`${states.length * variants.length} pictures are in ${out}\n`)
}

await runScript(main)
