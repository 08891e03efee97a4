import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  describeAccess,
  type SharedDocument,
  storeGiven,
  storeShared,
  takeGiven,
  takeShared,
  toModulePath,
} from '../../src/client/share/shared-document.ts'
import { NEVER } from '../../src/shared/expiry.ts'
import { denyStorage, stubStorage } from './support/browser.ts'

let entries: Map<string, string>

beforeEach(() => {
  entries = stubStorage('sessionStorage')
})

afterEach(() => {
  vi.unstubAllGlobals()
})

const FORM = { text: 'a text', fields: { expires: 'day' }, password: 'pass' }
const SHARED: SharedDocument = {
  id: 'abcdefgh',
  url: 'https://paste.example/abcdefgh',
  copied: true,
  password: 'pass',
  wasTyped: false,
  burns: false,
  isPublic: false,
  expiresAt: Date.UTC(2026, 11, 5, 12),
  token: 'token',
  form: FORM,
}

describe('a message for the page of a shared document', () => {
  it('is taken once, by the page of that document', () => {
    expect(storeShared(SHARED)).toBe(true)
    const script = readFileSync('src/client/forms/every-page.ts', 'utf8')
    expect(script).toContain(`isStored('sessionStorage', '${[...entries.keys()]}')`)
    expect(takeShared('abcdefgh')).toEqual(SHARED)
    expect(takeShared('abcdefgh')).toBeNull()
    expect(entries.size).toBe(0)
  })

  it('is dropped by another page, with the text in it', () => {
    storeShared(SHARED)
    expect(takeShared('xxxxxxxx')).toBeNull()
    expect(entries.size).toBe(0)
  })

  it('goes without the form if that is too long', () => {
    const setItem = sessionStorage.setItem.bind(sessionStorage)
    vi.stubGlobal('sessionStorage', {
      ...sessionStorage,
      setItem: (key: string, value: string) => {
        if (value.includes('a text')) throw new DOMException('full', 'QuotaExceededError')
        setItem(key, value)
      },
    })
    expect(storeShared(SHARED)).toBe(true)
    expect(takeShared('abcdefgh')).toEqual({ ...SHARED, form: null })
  })

  it('is none if the browser denies access to its storage', () => {
    denyStorage('sessionStorage')
    expect(storeShared(SHARED)).toBe(false)
    expect(takeShared('abcdefgh')).toBeNull()
  })
})

describe('the line that says who can read a document', () => {
  it.each([
    [{ password: null }, 'Anyone with the link can read it until December 5, 2026.'],
    [{ password: null, expiresAt: NEVER }, 'Anyone with the link can read it.'],
    [{ password: null, isPublic: true }, 'Anyone can find and read it until December 5, 2026.'],
    [{}, 'Anyone with the link and the password can read it until December 5, 2026.'],
    [
      { password: null, wasTyped: true },
      'Anyone with the link and the password can read it until December 5, 2026.',
    ],
    [
      { password: null, burns: true },
      'The first person with the link who reads it deletes it. You can look at it until then.',
    ],
    [
      { burns: true },
      'The first person with the link and the password who reads it deletes it. You can look at it until then.',
    ],
  ])('%o', (settings, line) => {
    expect(describeAccess({ ...SHARED, ...settings, forAccounts: false })).toBe(line)
  })

  it.each([
    [{ password: null }, 'Anyone with an account and the link can read it until December 5, 2026.'],
    [{}, 'Anyone with an account, the link and the password can read it until December 5, 2026.'],
    [
      { password: null, isPublic: true },
      'Anyone with an account can find and read it until December 5, 2026.',
    ],
  ])('names the account on a server that only accounts read: %o', (settings, line) => {
    expect(describeAccess({ ...SHARED, ...settings, forAccounts: true })).toBe(line)
  })
})

describe('what the page for new documents starts with', () => {
  it('is taken once', () => {
    expect(storeGiven(FORM)).toBe(true)
    expect(takeGiven()).toEqual(FORM)
    expect(takeGiven()).toBeNull()
  })

  it('is nothing where the browser denies access', () => {
    denyStorage('sessionStorage')
    expect(storeGiven(FORM)).toBe(false)
    expect(takeGiven()).toBeNull()
  })
})

describe('toModulePath', () => {
  it('draws one square for each dark module', () => {
    const path = toModulePath([
      [true, false],
      [false, true],
    ])
    expect(path).toBe('M0 0h1v1h-1zM1 1h1v1h-1z')
  })
})
