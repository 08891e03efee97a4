import { describe, expect, it } from 'vitest'
import { signUp } from '../../support/site/sign-up.ts'

describe('every account form', () => {
  const FORMS = [
    '/sign-in',
    '/sign-up',
    '/sign-in/link',
    '/sign-in/github',
    '/sign-out',
    '/account/username',
    '/account/email',
    '/account/email/leave-email',
    '/account/email/take-email',
    '/account/picture',
    '/account/keys',
    '/account/keys/some/revoke',
    '/account/github/connect',
    '/account/github/disconnect',
    '/account/sign-out-everywhere',
    '/account/delete',
  ]
  const OTHERS: Record<string, string>[] = [
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: 'https://paste.example.evil.example' },
    { Origin: 'http://paste.example' },
    { Origin: '' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    {},
  ]

  it.each(FORMS)('%s refuses requests from other sites', async (path) => {
    const { browser } = await signUp()
    for (const headers of OTHERS) {
      const answer = await browser.open(path, {
        method: 'POST',
        headers,
        body: new URLSearchParams({
          documents: 'delete',
          name: 'stolen',
          email: 'evil@example.org',
          username: 'evil',
        }),
      })
      expect({ headers, status: answer.status }).toEqual({ headers, status: 403 })
    }
    expect((await browser.open('/account')).status).toBe(200)
  })
})
