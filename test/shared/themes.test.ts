import { describe, expect, it } from 'vitest'
import { parseThemeCookie } from '../../src/shared/themes.ts'

describe('the theme cookie', () => {
  it.each([
    ['theme=dark', 'dark'],
    ['a=b; theme=light; c=d', 'light'],
    ['theme=contrast', 'contrast'],
    ['', 'system'],
    ['theme=', 'system'],
    ['theme=pink', 'system'],
    ['theme=dark2', 'system'],
    ['my-theme=dark', 'system'],
  ])('%j chooses %s', (cookies, theme) => {
    expect(parseThemeCookie(cookies)).toBe(theme)
  })
})
