import { describe, expect, it } from 'vitest'
import { isSaveShortcut } from '../../../src/client/document-form/save-form.ts'

const NO_MODIFIERS = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, isComposing: false }
const CTRL_S = { ...NO_MODIFIERS, key: 's', code: 'KeyS', ctrlKey: true }

describe('isSaveShortcut', () => {
  it.each([
    ['Ctrl+S', CTRL_S],
    ['⌘S', { ...CTRL_S, ctrlKey: false, metaKey: true }],
    ['Ctrl+Enter', { ...CTRL_S, key: 'Enter', code: 'Enter' }],
    ['Ctrl+S with caps lock', { ...CTRL_S, key: 'S' }],
    ['Ctrl and the key of S on a Cyrillic keyboard', { ...CTRL_S, key: 'ы' }],
    ['Ctrl+S where S is elsewhere (Dvorak)', { ...CTRL_S, code: 'Semicolon' }],
  ])('accepts %s', (_, event) => {
    expect(isSaveShortcut(event)).toBe(true)
  })

  it.each([
    ['S alone', { ...CTRL_S, ctrlKey: false }],
    ['Ctrl+Shift+S', { ...CTRL_S, shiftKey: true }],
    ['Ctrl+Alt+S', { ...CTRL_S, altKey: true }],
    ['Ctrl+O where O is on the key of S (Dvorak)', { ...CTRL_S, key: 'o' }],
    ['Ctrl+S while an input method composes', { ...CTRL_S, isComposing: true }],
  ])('refuses %s', (_, event) => {
    expect(isSaveShortcut(event)).toBe(false)
  })
})
