import { describe, expect, it } from 'vitest'
import { parseThemeCookie } from '../../../src/client/forms/theme-cookie.ts'

describe('parseThemeCookie', () => {
  it.each([
    ['theme=dark', 'dark'],
    ['a=b; theme=light; c=d', 'light'],
    ['', 'system'],
    ['theme=', 'system'],
    ['theme=darker', 'system'],
    ['my-theme=dark', 'system'],
  ])('reads %j as %s', (cookies, theme) => {
    expect(parseThemeCookie(cookies)).toBe(theme)
  })
})
