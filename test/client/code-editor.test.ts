import { markdown } from '@codemirror/lang-markdown'
import { language } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLineDisplay } from '../../src/client/editor/code-editor.ts'
import { createTextHistory, findChange, toLf } from '../../src/client/editor/text-box.ts'
import { detectLineBreaks, withLineBreaks } from '../../src/shared/lines.ts'

const lines = fc.array(fc.constantFrom('', 'a', '😀'), { minLength: 1, maxLength: 6 })

const isUniform = (text: string) => detectLineBreaks(text) !== 'mixed'

describe('a text with uniform line breaks', () => {
  it('is joined with LF, CRLF or CR', () => {
    fc.assert(
      fc.property(lines, fc.constantFrom('\n', '\r\n', '\r'), (parts, lineBreak) => {
        expect(isUniform(parts.join(lineBreak))).toBe(true)
      }),
    )
  })

  it('has no second kind among them', () => {
    for (const text of ['a\rb\n', 'a\r\nb\n', 'a\nb\r\n', '\n\r', 'a\r\n\r', ' 10 %\r 20 %\r'])
      expect(isUniform(text)).toBe(false)
  })

  it('is the one that joining its lines again gives', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\r', '\n'), maxLength: 12 })
    fc.assert(
      fc.property(text, (candidate) => {
        const joined = withLineBreaks(toLf(candidate), detectLineBreaks(candidate))
        expect(joined === candidate).toBe(isUniform(candidate))
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('a history of a text', () => {
  it('has every change, with its time', () => {
    const history = createTextHistory('', 1)
    history.record('a', 2)
    history.record('a', 3)
    history.record('ab', 4)
    expect(history.snapshots()).toEqual([
      { text: '', time: 1 },
      { text: 'a', time: 2 },
      { text: 'ab', time: 4 },
    ])
  })

  it('keeps only the first and the last text if they are very long', () => {
    const history = createTextHistory('', 1)
    const long = 'x'.repeat(3_000_000)
    for (let time = 2; time < 6; time++) history.record(long + time, time)
    expect(history.snapshots().length).toBeLessThan(4)
    expect(history.snapshots().at(0)?.text).toBe('')
    expect(history.snapshots().at(-1)?.text.endsWith('5')).toBe(true)
  })
})

describe('findChange', () => {
  it.each([
    ['', 'abc', { from: 0, to: 0, insert: 'abc' }],
    ['abc', '', { from: 0, to: 3, insert: '' }],
    ['abc', 'abXc', { from: 2, to: 2, insert: 'X' }],
    ['aaa', 'aa', { from: 2, to: 3, insert: '' }],
    ['one two', 'one 2', { from: 4, to: 7, insert: '2' }],
    ['same', 'same', { from: 4, to: 4, insert: '' }],
  ])('turns %j into %j', (before, after, change) => {
    expect(findChange(before, after)).toEqual(change)
    expect(before.slice(0, change.from) + change.insert + before.slice(change.to)).toBe(after)
  })
})

describe('the language of the code editor', () => {
  const SHORT = '**bold**\n'.repeat(2_000)
  const LONG = '<b>'.repeat(20_000)

  function openText(text: string) {
    const display = createLineDisplay(text, true)
    let state = EditorState.create({ doc: text, extensions: display.extension })
    return {
      isParsed: () => state.facet(language) !== null,
      setLanguage: (support: ReturnType<typeof markdown> | null) => {
        state = state.update({ effects: display.setLanguage(state, support, true) }).state
      },
      replace: (replacement: string) => {
        state = state.update({ changes: { from: 0, to: state.doc.length, insert: replacement } }).state
      },
    }
  }

  it('isn’t parsed while the text has a line that takes seconds, also if it is loaded or chosen later', () => {
    const editor = openText('')
    editor.setLanguage(markdown())
    editor.replace(SHORT)
    expect(editor.isParsed()).toBe(true)
    editor.replace(LONG)
    expect(editor.isParsed()).toBe(false)
    editor.setLanguage(markdown())
    expect(editor.isParsed()).toBe(false)
    editor.replace(SHORT)
    expect(editor.isParsed()).toBe(true)
    editor.setLanguage(null)
    expect(editor.isParsed()).toBe(false)
  })

  it('isn’t parsed if the code editor takes over such a text', () => {
    const editor = openText(`${SHORT}${LONG}`)
    editor.setLanguage(markdown())
    expect(editor.isParsed()).toBe(false)
    editor.replace('')
    expect(editor.isParsed()).toBe(true)
  })
})
