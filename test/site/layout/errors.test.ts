import { describe, expect, it, vi } from 'vitest'
import { bindingsWith } from '../../support/bindings.ts'
import { send } from '../../support/client.ts'
import { requestPage } from '../../support/site/forms.ts'

describe('error pages', () => {
  it.each([
    ['/xxxxxxxx', 'GET', 404],
    ['/no/such/page', 'GET', 404],
    ['/v1abc', 'GET', 404],
    ['/', 'DELETE', 405],
    ['/xxxxxxxx', 'PATCH', 405],
    ['/sign-in', 'PATCH', 405],
    ['/sign-up', 'DELETE', 405],
    ['/sign-out', 'PATCH', 405],
  ])('answer %s %s', async (path, method, status) => {
    const answer = await requestPage(path, { method })
    expect(answer.status).toBe(status)
    expect(answer.html).toMatch(/<h1>[^<]+<\/h1>/)
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
  })

  it('reveal nothing about a server fault', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const bindings = bindingsWith(async () => {
      throw new Error('secret cause')
    })
    const { status, html } = await requestPage('/xxxxxxxx', {}, bindings)
    expect(status).toBe(500)
    expect(html).not.toContain('secret cause')
    expect(log).toHaveBeenCalledTimes(1)
  })
})

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
