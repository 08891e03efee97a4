import type { Page } from 'playwright-core'
import { CODE } from './texts.ts'
import { at, click, create, type State } from './world.ts'

async function block(page: Page, kind: string, value: string): Promise<void> {
  await page.goto('/moderation/blocks')
  await page.getByLabel('Kind').selectOption(kind)
  await page.getByLabel('What to block').fill(value)
  await page.getByLabel('Reason').fill('A flood of phishing pages since this morning.')
  await click(page, 'Block')
}

/** The pages of the abuse desk. */
export const DESK_STATES: State[] = [
  {
    name: 'moderation-blocks',
    viewer: 'judge',
    open: async (page) => {
      await block(page, 'address', '2001:db8::/32')
      await block(page, 'domain', 'a-rather-long-name-of-a-domain.phishing.example')
    },
  },
  {
    name: 'moderation-blocks-problem',
    viewer: 'judge',
    open: (page) => block(page, 'address', 'the whole internet'),
  },
  {
    name: 'moderation-remove-all',
    viewer: 'judge',
    open: at('/moderation/remove-all?kind=account&value=ada'),
  },
  {
    name: 'moderation-remove-all-confirm',
    viewer: 'judge',
    open: async (page, world) => {
      await create(world, CODE, {})
      await page.goto('/moderation/remove-all?kind=account&value=ada')
      await page.getByLabel('Reason').fill('A dump of personal data.')
      await click(page, 'Continue')
    },
  },
  { name: 'moderation-account', viewer: 'judge', open: at('/moderation/accounts?username=newcomer') },
  { name: 'moderation-audit', viewer: 'judge', open: at('/moderation/audit') },
]
