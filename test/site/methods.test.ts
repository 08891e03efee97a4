import { describe, expect, it } from 'vitest'
import { send } from '../support/client.ts'

describe('the site', () => {
  it.each([
    ['DELETE', '/', 'GET, HEAD, POST'],
    ['PATCH', '/xxxxxxxx', 'GET, HEAD, POST'],
    ['PATCH', '/xxxxxxxx.py', 'GET, HEAD, POST'],
    ['PUT', '/r/xxxxxxxx', 'GET, HEAD, POST'],
    ['PATCH', '/sign-in', 'GET, HEAD, POST'],
    ['GET', '/sign-in/github', 'POST'],
    ['PUT', '/xxxxxxxx/report', 'GET, HEAD, POST'],
    ['POST', '/icons/account.svg', 'GET, HEAD'],
  ])('answers %s %s with 405 and the allowed methods', async (method, path, allow) => {
    const { status, headers } = await send(path, { method })
    expect({ status, allow: headers.get('Allow') }).toEqual({ status: 405, allow })
  })

  it('answers 404 for an unsupported method at an address that no document can have', async () => {
    for (const path of ['/apple-touch-icon.png', '/abc.py', '/wp_login.php'])
      expect((await send(path, { method: 'PATCH' })).status).toBe(404)
  })
})
