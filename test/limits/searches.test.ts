import { expect, it } from 'vitest'
import { account, session } from '../support/accounts.ts'
import { send } from '../support/client.ts'
import { countStatuses, from, LIMITED, newAddress, repeat } from './support.ts'

it('limits the searches of an account in every place together', async () => {
  const owner = await account()
  const cookie = await session(owner)
  const search = (path: string, headers: Record<string, string>) =>
    send(path, { headers: { ...from(newAddress()), ...headers } }, { bindings: LIMITED })
  const key = { Authorization: owner.key }
  const paths: [path: string, headers: Record<string, string>][] = [
    ['/v1/users/search/us', key],
    ['/v1/users/@me/documents?search=x', key],
    ['/account/documents?search=x', cookie],
    ['/account/usernames?prefix=us', cookie],
  ]
  await repeat(118, () => LIMITED.SEARCH_LIMIT.limit({ key: `account ${owner.id}` }))
  const answers: Response[] = []
  for (const [path, headers] of paths) answers.push(await search(path, headers))
  expect(countStatuses(answers)).toEqual({ 200: 2, 429: 2 })
  expect((await search('/account/documents', cookie)).status).toBe(200)
})
