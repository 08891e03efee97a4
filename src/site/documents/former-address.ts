import { Hono } from 'hono'
import { isDocumentId } from '../../documents/model/ids.ts'
import type { AppEnv } from '../../env.ts'
import { routeNotFound } from '../../errors.ts'
import { answer } from '../layout/answer.ts'

/** Redirects from the address that documents had in the first version of the original service. */
export const formerAddress = new Hono<AppEnv>().get('/:address', (c) => {
  const address = c.req.param('address')
  if (!isDocumentId(address.split('.', 1)[0] ?? '')) throw routeNotFound()
  const { search } = new URL(c.req.url)
  return answer(c, null, { status: 301, headers: { Location: `/${encodeURIComponent(address)}${search}` } })
})
