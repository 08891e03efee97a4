import { afterAll, describe, expect, it, vi } from 'vitest'

/** A form that is sent by POST. */
class Form extends EventTarget {
  readonly method = 'post'
}

const page = new EventTarget()
// The script looks for its elements at once.
vi.stubGlobal('document', { querySelectorAll: () => [], querySelector: () => null })
vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
const { splitLastWord } = await import('../../src/client/forms/form-page.ts')

afterAll(() => {
  vi.unstubAllGlobals()
})

describe('splitLastWord', () => {
  it.each([
    ['', '', ''],
    ['gra', '', 'gra'],
    ['ada, gra', 'ada, ', 'gra'],
    ['ada gra', 'ada ', 'gra'],
    ['ada,gra', 'ada,', 'gra'],
    ['ada ', 'ada ', ''],
  ])('splits %j', (typed, before, word) => {
    expect(splitLastWord(typed)).toEqual({ before, word })
  })
})

/** Returns whether the browser sends the form. */
function submit({ isHandled = false } = {}): boolean {
  const event = new Event('submit', { cancelable: true })
  Object.defineProperty(event, 'target', { value: new Form() })
  if (isHandled) event.preventDefault()
  const before = event.defaultPrevented
  page.dispatchEvent(event)
  return !event.defaultPrevented && !before
}

describe('a form', () => {
  it('is sent once on a double click, even right after another script has handled a form', () => {
    vi.stubGlobal('HTMLFormElement', Form)
    expect(submit({ isHandled: true })).toBe(false)
    expect(submit()).toBe(true)
    expect(submit()).toBe(false)
    page.dispatchEvent(new Event('pageshow'))
    expect(submit()).toBe(true)
  })
})
