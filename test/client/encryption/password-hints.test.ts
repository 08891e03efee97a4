import { describe, expect, it } from 'vitest'
import { getPasswordHint } from '../../../src/client/encryption/password-hints.ts'

describe('the hint below a password field', () => {
  it.each([
    ['in the browser', true, true, 'Neither the password nor the text is sent'],
    ['on the server', false, true, 'the password is sent to the server'],
    ['on the server, without HTTPS', false, false, 'others on the network could read it'],
  ])('says who sees the password when the document is decrypted %s', (_, inBrowser, isSecure, expected) => {
    expect(getPasswordHint(inBrowser, isSecure)).toContain(expected)
  })
})
