import type { Context } from 'hono'
import { listKeys } from '../../accounts/keys/api-keys.ts'
import { findDefaults } from '../../accounts/profile/defaults.ts'
import { findAccountDetails } from '../../accounts/profile/profile.ts'
import { isAdmin } from '../../accounts/user.ts'
import type { UserEnv } from '../../env.ts'
import { signInRequired } from '../../errors.ts'
import type { AnswerOptions } from '../layout/answer.ts'
import { privatePage } from '../layout/private-page.tsx'
import { getSignInMethods } from '../sign-in/sign-in-methods.ts'
import type { AccountProblems } from './account-page.tsx'
import type { KeyValues } from './key-form.ts'
import type { ProfilePageProps } from './profile-page.tsx'

/** Loads the pages when someone opens one: reading a document needs none of them. */
const loadPages = () => import('./pages.ts')

/** Messages about what was just done, by the `done` parameter that a form redirects with. */
const DONE_MESSAGES = new Map([
  ['renamed', 'Username changed.'],
  ['revoked', 'API key revoked.'],
  [
    'key',
    'This API key has already been created and shown once. If you didn’t copy it, revoke it and create another.',
  ],
  ['email', 'Email address changed.'],
  ['picture', 'You now have a generated picture.'],
  ['profile', 'Profile page saved.'],
  ['defaults', 'Defaults saved.'],
  ['disconnected', 'GitHub disconnected.'],
])

interface AccountOptions {
  readonly problems?: AccountProblems
  readonly typed?: KeyValues
  readonly newKey?: string
}

/** Shows the account page, with the result of a form if there is one. */
export async function showAccount(
  c: Context<UserEnv>,
  options: AccountOptions = {},
  answer: AnswerOptions = {},
): Promise<Response> {
  const { now, store, user } = c.var
  const [details, keys, defaults] = await Promise.all([
    findAccountDetails(store.db, user.id, now),
    listKeys(store.db, user.id),
    findDefaults(store.db, user.id),
  ])
  if (!details) throw signInRequired()
  const { AccountPage } = await loadPages()
  const accountPage = (
    <AccountPage
      details={details}
      keys={keys}
      now={now}
      defaults={defaults}
      confirmed={user.confirmed}
      admin={isAdmin(user)}
      methods={getSignInMethods(c)}
      done={DONE_MESSAGES.get(c.req.query('done') ?? '')}
      {...options}
    />
  )
  return privatePage(c, accountPage, answer)
}

/** Shows the profile page, with the problems of a form if there are any. */
export async function showProfile(
  c: Context<UserEnv>,
  options: Pick<ProfilePageProps, 'problems' | 'typed'> = {},
  answer: AnswerOptions = {},
): Promise<Response> {
  const { config, now, store, user } = c.var
  const details = await findAccountDetails(store.db, user.id, now)
  if (!details) throw signInRequired()
  const { ProfilePage } = await loadPages()
  return privatePage(
    c,
    <ProfilePage details={details} methods={getSignInMethods(c)} explore={config.explore} {...options} />,
    answer,
  )
}
