import { Hono } from 'hono'
import { suggestUsernames } from '../../accounts/profile/usernames.ts'
import type { AppEnv } from '../../env.ts'
import { accountNotConfirmed } from '../../errors.ts'
import { answerErrorText } from '../../http/answers/error-text.ts'
import { requireSession } from '../../http/identity/require-session.ts'
import { limitSearches } from '../../http/limits/limit-requests.ts'
import { answer } from '../layout/answer.ts'

/** Suggests usernames while an editor's name is typed. Only for accounts that may add editors. */
export const usernameSuggestions = new Hono<AppEnv>()
  .onError(answerErrorText)
  .get('/', requireSession, limitSearches, async (c) => {
    const { store, user } = c.var
    if (!user.confirmed) throw accountNotConfirmed()
    const usernames = await suggestUsernames(store.db, c.req.query('prefix') ?? '')
    return answer(c, JSON.stringify({ usernames }), {
      headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
    })
  })
