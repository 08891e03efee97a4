import { describe, expect, it } from 'vitest'
import { STATES } from '../../scripts/screenshots/states.ts'
import { createContent, type Viewer, type World } from '../../scripts/screenshots/world.ts'
import { addAccount, makeAdmin } from './support/accounts.ts'
import { expectCompleteInLooks, watchPage } from './support/browser.ts'
import { startService } from './support/service.ts'
import { signIn } from './support/session.ts'

/** States with the same elements in the same colours as another one. They are only in the screenshots. */
const ALIKE = new Set(
  `home-signed-in home-typed home-settings home-preview shared-now
  document document-long document-right-to-left document-one-line document-one-character document-zoomed
  document-duplicate document-markdown-source document-log document-log-nothing
  burn-encrypted edit-by-editor edit-preview edit-decrypted edit-offline
  embed-phone embed-lines embed-themed embed-markdown embed-long embed-hidden-characters embed-code-problem
  report history-none history-delete history-restore-conflict history-encrypted-version
  device-signed-in managed-edit managed-wrong-token
  your-documents-empty shared-empty account account-sign-out-everywhere sign-in sign-up
  account-message account-github-problem account-deleted account-change-email profile-error
  sign-up-username sign-in-suspended sign-out-done
  moderation-removed moderation-done moderation-account-unknown moderation-remove-all-problem
  privacy terms docs moderation forbidden explore-signed-in public-profile-empty`.split(/\s+/),
)

/**
 * What other tests look at: paper, pages without scripts, a browser that is offline, pages whose clock stands still, and
 * the contrast of themes (`test/client/styles/themes.test.ts`).
 */
const ELSEWHERE = /^print-|-without-scripts$|^home-offline$|^changed|^theme-/

const CHECKED = STATES.filter(({ name }) => !ALIKE.has(name) && !ELSEWHERE.test(name))

const { base, env, mailedLink } = await startService()
const keys = new Map<Viewer, string>()
const sessions = new Map<Viewer, Awaited<ReturnType<typeof signIn>>>()
for (const viewer of ['ada', 'newcomer', 'judge', 'collector'] as const) {
  keys.set(viewer, (await addAccount(env, viewer)).key)
  sessions.set(viewer, await signIn(env, viewer))
}
await makeAdmin(env, 'judge')

const world: World = {
  base,
  getKey: (viewer) => keys.get(viewer) ?? '',
  getContextOptions: (viewer) => ({ baseURL: base, ...sessions.get(viewer) }),
  getEmailedLink: mailedLink,
}
await createContent(world)

describe('the states of the pages', () => {
  it('that are alike have the names of screenshots', () => {
    const names = new Set(STATES.map(({ name }) => name))
    expect([...ALIKE].filter((name) => !names.has(name))).toEqual([])
  })

  it.each(CHECKED)('are accessible and fit in every look: $name', async ({ viewer = 'anyone', open }) => {
    await watchPage(base, sessions.get(viewer) ?? {}, async (page) => {
      await open(page, world)
      await expectCompleteInLooks(page)
    })
  })
})
