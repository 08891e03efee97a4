import type { BrowserContextOptions, Page } from 'playwright-core'
import { CODE, LONG_LINES, MARKDOWN } from './texts.ts'

/** Who is signed in to the browser. */
export type Viewer = 'anyone' | 'ada' | 'newcomer' | 'judge' | 'collector'

export interface World {
  readonly base: string
  readonly getKey: (viewer: Viewer) => string
  /** Returns options for a browser that the viewer is signed in to. */
  readonly getContextOptions: (viewer: Viewer) => BrowserContextOptions
  /** Returns the link in the latest email to an address. */
  readonly getEmailedLink: (to: string) => Promise<string>
}

export interface State {
  readonly name: string
  readonly viewer?: Viewer
  /** Whether the screenshot shows the whole page (the default) or only the window, for example for a dialog. */
  readonly whole?: boolean
  /** Further browser options, such as no scripts or a narrow window. */
  readonly context?: BrowserContextOptions
  /** Brings a new page into the state. */
  readonly open: (page: Page, world: World) => Promise<unknown>
}

export interface CreatedDocument {
  readonly id: string
  readonly password?: string
}

export async function create(world: World, content: string, settings: object, viewer: Viewer = 'ada') {
  const response = await fetch(`${world.base}/v1/document`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: world.getKey(viewer) },
    body: JSON.stringify({ content, settings }),
  })
  const { data } = (await response.json()) as { data: CreatedDocument }
  return data
}

async function report(world: World, id: string, reason: string, comment: string): Promise<void> {
  await fetch(`${world.base}/${id}/report`, {
    method: 'POST',
    headers: { Origin: world.base },
    body: new URLSearchParams({ reason, comment }),
  })
}

/** Creates documents and reports before the first screenshot. */
export async function createContent(world: World): Promise<void> {
  await create(world, MARKDOWN, { language: 'markdown', public: true, expiration: null })
  await create(world, CODE, { language: 'typescript', editors: ['newcomer'] })
  await create(world, LONG_LINES, { language: 'json', long_urls: true })
  await create(world, 'encrypted text', { encrypted: true, expiration: 1 })
  await create(world, 'text that burns after reading', { instant_delete: true })
  for (let number = 1; number <= 60; number++) {
    await create(world, `Note ${number} of many\n${'text '.repeat(number * 7)}`, {}, 'collector')
  }
  const reported = await create(world, 'Cheap watches!\nBuy them now.\n', { public: true }, 'newcomer')
  await report(world, reported.id, 'spam', 'The same text is everywhere by now.')
  await report(world, reported.id, 'malware', '')
}

export const NO_SCRIPTS = { javaScriptEnabled: false } as const

/** Creates a document and opens its page. */
export const openDocument =
  (
    content: string,
    settings: object,
    then: (page: Page, made: CreatedDocument, world: World) => Promise<unknown> = async () => {},
  ) =>
  async (page: Page, world: World) => {
    const made = await create(world, content, settings)
    await page.goto(`/${made.id}`)
    await then(page, made, world)
  }

export const at = (path: string) => (page: Page) => page.goto(path)

/** Waits until code is coloured: no element changes, but a highlight is registered. */
export const waitForColours = (page: Page) => page.waitForFunction(() => CSS.highlights.size > 0)

export const isPhone = (page: Page): boolean => (page.viewportSize()?.width ?? 0) < 600

export const click = (page: Page, name: string) => page.getByRole('button', { name }).first().click()
