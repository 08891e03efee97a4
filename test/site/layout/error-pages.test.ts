import { describe, expect, it, vi } from 'vitest'
import { bindingsWith } from '../../support/bindings.ts'
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
