import { Hono } from 'hono'
import { suggestUsernames } from '../../accounts/profile/usernames.ts'
import type { AppEnv } from '../../env.ts'
import { accountNotConfirmed } from '../../errors.ts'
import { requireSession } from '../../http/require-session.ts'
import { answer } from '../layout/answer.ts'
import { answerErrorText } from '../layout/errors.tsx'

/** The names that a field offers while one is typed. Who may add editors may know them, and nobody else. */
export const usernames = new Hono<AppEnv>().onError(answerErrorText).get('/', requireSession, async (c) => {
  const { store, user } = c.var
  if (!user.confirmed) throw accountNotConfirmed()
  const names = await suggestUsernames(store.db, c.req.query('prefix') ?? '')
  return answer(c, JSON.stringify({ usernames: names }), {
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
  })
})
