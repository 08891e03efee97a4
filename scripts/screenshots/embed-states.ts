import type { Page } from 'playwright-core'
import { CODE, HIDDEN, LONG_LINES, MANY_LINES, MARKDOWN } from './texts.ts'
import { create, NO_SCRIPTS, type State, type World, waitForColours } from './world.ts'

/** A frame as on another site. */
const FRAME = { viewport: { width: 720, height: 360 }, isMobile: false, hasTouch: false } as const

/** Creates a document and opens its embed. */
const openEmbed =
  (content: string, settings: object, query = '', then: (page: Page) => Promise<unknown> = async () => {}) =>
  async (page: Page, world: World) => {
    const { id } = await create(world, content, settings)
    await page.goto(`/${id}/embed${query}`)
    await then(page)
  }

const TYPESCRIPT = { language: 'typescript' } as const

/** Documents in frames of other sites, and the page with their code. */
export const EMBED_STATES: State[] = [
  { name: 'embed', whole: false, context: FRAME, open: openEmbed(CODE, TYPESCRIPT, '', waitForColours) },
  {
    name: 'embed-phone',
    whole: false,
    context: { viewport: { width: 340, height: 360 } },
    open: openEmbed(LONG_LINES, { language: 'json', title: 'a-rather-long-name-of-a-file.json' }),
  },
  {
    name: 'embed-lines',
    whole: false,
    context: FRAME,
    open: openEmbed(CODE, TYPESCRIPT, '?lines=3-9', waitForColours),
  },
  {
    name: 'embed-themed',
    whole: false,
    context: FRAME,
    open: openEmbed(CODE, TYPESCRIPT, '?theme=dark', waitForColours),
  },
  {
    name: 'embed-markdown',
    whole: false,
    context: FRAME,
    open: openEmbed(MARKDOWN, { language: 'markdown' }, '', (page) => page.locator('.rendered').waitFor()),
  },
  { name: 'embed-long', whole: false, context: FRAME, open: openEmbed(MANY_LINES, {}) },
  {
    name: 'embed-hidden-characters',
    whole: false,
    context: FRAME,
    open: openEmbed(HIDDEN, { language: 'c' }),
  },
  {
    name: 'embed-without-scripts',
    whole: false,
    context: { ...FRAME, ...NO_SCRIPTS },
    open: openEmbed(CODE, TYPESCRIPT),
  },
  {
    name: 'embed-not-available',
    whole: false,
    context: FRAME,
    open: openEmbed('x', { encrypted: true }),
  },
  {
    name: 'embed-code',
    open: async (page, world) => {
      const { id } = await create(world, CODE, TYPESCRIPT)
      await page.goto(`/${id}/embed/code?lines=2-12`)
      const preview = page.frameLocator('.embed-preview')
      await preview.locator('#text').waitFor()
    },
  },
  {
    name: 'embed-code-problem',
    open: async (page, world) => {
      const { id } = await create(world, CODE, TYPESCRIPT)
      await page.goto(`/${id}/embed/code?lines=ten`)
    },
  },
]
