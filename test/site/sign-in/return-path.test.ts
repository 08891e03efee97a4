import { describe, expect, it } from 'vitest'
import { account } from '../../support/accounts.ts'
import { ORIGIN, send } from '../../support/client.ts'
import { captureEmail, getLink } from '../../support/site/email.ts'
import { signUp } from '../../support/site/sign-up.ts'
import { TestBrowser } from '../../support/site/test-browser.ts'

describe('the return path', () => {
  it.each([
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    '/.//evil.example',
    '/..//evil.example',
    '/x/..//evil.example',
    '/./\\evil.example',
    '/%2Fevil.example',
    '/%5Cevil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    ' //evil.example',
    'evil.example',
    '/%2e//evil.example',
    '/.%2e//evil.example',
    '//',
    '',
  ])('never leads to another site: %j', async (back) => {
    const { email } = await account()
    const { bindings, sent } = captureEmail()
    const browser = new TestBrowser(bindings)
    await browser.submit('/sign-in', { email, return: back })
    const [path = '', query = ''] = getLink(sent[0]).split('?')
    const token = new URLSearchParams(query).get('token') ?? ''
    // Not even if the link itself is changed.
    const opened = await browser.open(`${path}?${new URLSearchParams({ token, return: back })}`)
    expect(opened.status).toBe(303)
    const target = new URL(opened.headers.get('Location') ?? '', ORIGIN)
    expect(target.origin).toBe(ORIGIN)
    expect(target.pathname).toBe('/')
  })

  it.each([
    [`${ORIGIN}/account/profile?x=1`, '/account/profile?x=1'],
    [`${ORIGIN}//evil.example`, '/'],
    ['http://', '/'],
    [null, '/'],
  ])('leads back to the page of the form if the session has ended: %j', async (referer, back) => {
    const answer = await new TestBrowser().submit(
      '/account/keys',
      { name: 'x' },
      referer ? { Referer: referer } : {},
    )
    expect(answer.headers.get('Location')).toBe(`/sign-in?${new URLSearchParams({ return: back })}`)
  })

  it.each([
    ['/account/keys', '/account'],
    ['/account/username', '/account/profile'],
    ['/account/email', '/account/profile'],
  ])("redirects a GET of a form's action: %s", async (path, leadsTo) => {
    const { browser } = await signUp()
    expect((await browser.open(path)).headers.get('Location')).toBe(leadsTo)
  })

  it('leads back to the page that required signing in', async () => {
    const response = await send('/account/documents?sort=largest', { redirect: 'manual' })
    expect(response.headers.get('Location')).toBe('/sign-in?return=%2Faccount%2Fdocuments%3Fsort%3Dlargest')
    const page = await (
      await new TestBrowser(captureEmail().bindings).open(response.headers.get('Location') ?? '')
    ).text()
    expect(page).toContain('value="/account/documents?sort=largest"')
  })
})
