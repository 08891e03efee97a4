import type { BrowserContextOptions, Page } from 'playwright-core'
import { CODE, LONG_LINES, MARKDOWN } from './texts.ts'

/** Whose browser a page is looked at in. */
export type Visitor = 'anyone' | 'ada' | 'newcomer' | 'judge' | 'collector'

export interface World {
  readonly base: string
  readonly keyOf: (visitor: Visitor) => string
  /** What a browser has to be made with to be theirs. */
  readonly browserOf: (visitor: Visitor) => BrowserContextOptions
  /** The link of the latest mail to an address. */
  readonly mailedLink: (to: string) => Promise<string>
}

export interface State {
  readonly name: string
  readonly visitor?: Visitor
  /** Whether the picture has the whole page; false: what is in the window, for a dialog. */
  readonly whole?: boolean
  /** What its browser is in addition: without scripts, or as narrow as zoom makes it. */
  readonly context?: BrowserContextOptions
  /** Leads a new browser to the state. */
  readonly open: (page: Page, world: World) => Promise<unknown>
}

export interface Made {
  readonly id: string
  readonly password?: string
}

export async function create(world: World, content: string, settings: object, visitor: Visitor = 'ada') {
  const response = await fetch(`${world.base}/v1/document`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: world.keyOf(visitor) },
    body: JSON.stringify({ content, settings }),
  })
  const { data } = (await response.json()) as { data: Made }
  return data
}

async function report(world: World, id: string, reason: string, words: string): Promise<void> {
  await fetch(`${world.base}/${id}/report`, {
    method: 'POST',
    headers: { Origin: world.base },
    body: new URLSearchParams({ reason, words }),
  })
}

/** What there is before anything is looked at. */
export async function prepare(world: World): Promise<void> {
  await create(world, MARKDOWN, { language: 'markdown', public: true, expiration: null })
  await create(world, CODE, { language: 'typescript', editors: ['newcomer'] })
  await create(world, LONG_LINES, { language: 'json', long_urls: true })
  await create(world, 'a secret', { encrypted: true, expiration: 1 })
  await create(world, 'for one reader', { instant_delete: true })
  for (let number = 1; number <= 60; number++) {
    await create(world, `The ${number}. of many notes\n${'text '.repeat(number * 7)}`, {}, 'collector')
  }
  const reported = await create(world, 'Cheap watches!\nBuy them now.\n', { public: true }, 'newcomer')
  await report(world, reported.id, 'spam', 'The same text is everywhere by now.')
  await report(world, reported.id, 'malware', '')
}

export const NO_SCRIPTS = { javaScriptEnabled: false } as const

/** A document made for one picture. */
export const shown =
  (
    content: string,
    settings: object,
    then: (page: Page, made: Made, world: World) => Promise<unknown> = async () => {},
  ) =>
  async (page: Page, world: World) => {
    const made = await create(world, content, settings)
    await page.goto(`/${made.id}`)
    await then(page, made, world)
  }

export const at = (path: string) => (page: Page) => page.goto(path)

export const click = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()
