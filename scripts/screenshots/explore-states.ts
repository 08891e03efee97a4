import type { Page } from 'playwright-core'
import { CODE, LONG_LINES, MARKDOWN } from './texts.ts'
import { at, create, NO_SCRIPTS, type State, type World } from './world.ts'

let created: Promise<unknown> | undefined

/** Creates public documents once, and opens a page. */
const openPublic = (path: string) => async (page: Page, world: World) => {
  created ??= (async () => {
    for (let number = 1; number <= 30; number++) {
      await create(world, `Public note ${number}\nmore`, { public: true }, 'newcomer')
    }
    await create(world, CODE, { public: true, language: 'typescript', title: 'ids.ts' })
    await create(world, MARKDOWN, {
      public: true,
      language: 'markdown',
      title:
        'Notes of the meeting, which was much longer than anybody had expected, with all that was decided',
    })
    await create(
      world,
      LONG_LINES,
      { public: true, language: 'json', title: '測試 😀 data.json' },
      'newcomer',
    )
    await create(world, CODE, { public: true, language: 'a language nobody has heard of' })
  })()
  await created
  await page.goto(path)
}

/** The pages that list public documents. */
export const EXPLORE_STATES: State[] = [
  { name: 'explore', open: openPublic('/explore') },
  { name: 'explore-signed-in', viewer: 'ada', open: openPublic('/explore?language=typescript') },
  { name: 'explore-without-scripts', context: NO_SCRIPTS, open: openPublic('/explore?search=note') },
  { name: 'explore-nothing', open: at('/explore?search=nothing+like+it') },
  { name: 'public-profile', open: openPublic('/@ada') },
  { name: 'public-profile-empty', viewer: 'judge', open: at('/@judge') },
]
