import { describe, expect, it, vi } from 'vitest'
import type { CodeEditor } from '../../../src/client/code-editor/code-editor.ts'
import { mergeConflict } from '../../../src/client/edit/conflict.ts'

/** A code editor without a page, which holds a text. */
function fakeCodeEditor(initial: string) {
  let text = initial
  const setExtension = vi.fn<CodeEditor['setExtension']>()
  const codeEditor: CodeEditor = {
    text: () => text,
    start: (characters) => text.slice(0, characters),
    isEmpty: () => text === '',
    replace: (replacement) => {
      text = replacement
      return true
    },
    focus: () => {},
    setLanguage: () => {},
    setExtension,
    setReadOnly: () => {},
    setErrorId: () => {},
    onChange: () => {},
  }
  return { codeEditor, setExtension }
}

const LINES = 'one\ntwo\nthree\nfour\nfive'

describe('mergeConflict', () => {
  it('keeps what is typed while the tool that compares is loaded', async () => {
    const { codeEditor } = fakeCodeEditor(LINES.replace('one', 'mine'))
    const merging = mergeConflict(codeEditor, { base: LINES, theirs: LINES.replace('five', 'theirs') })
    codeEditor.replace(LINES.replace('one', 'mine, and more'))
    await merging
    expect(codeEditor.text()).toBe(LINES.replace('one', 'mine, and more').replace('five', 'theirs'))
  })

  it('merges a change elsewhere into the text and shows the differences', async () => {
    const { codeEditor, setExtension } = fakeCodeEditor(LINES.replace('one', 'ONE'))
    const theirs = LINES.replace('five', 'FIVE')
    const { message, saved } = await mergeConflict(codeEditor, { base: LINES, theirs })
    expect(codeEditor.text()).toBe(LINES.replace('one', 'ONE').replace('five', 'FIVE'))
    expect(saved).toBe(theirs)
    expect(setExtension).toHaveBeenCalledWith(expect.anything())
    expect(message).toContain('already in your text')
  })

  it('keeps mine where both changed the same lines', async () => {
    const mine = LINES.replace('one', 'mine')
    const { codeEditor } = fakeCodeEditor(mine)
    const { message } = await mergeConflict(codeEditor, {
      base: LINES,
      theirs: LINES.replace('one', 'theirs'),
    })
    expect(codeEditor.text()).toBe(mine)
    expect(message).not.toContain('already in your text')
    expect(message).toContain('Crossed-out lines')
  })

  it('takes over their text if mine is unchanged', async () => {
    const { codeEditor, setExtension } = fakeCodeEditor(LINES)
    const { saved } = await mergeConflict(codeEditor, { base: LINES, theirs: 'theirs\r\nmixed\n' })
    expect(codeEditor.text()).toBe('theirs\r\nmixed\n')
    expect(saved).toBe('theirs\r\nmixed\n')
    expect(setExtension).toHaveBeenCalledWith(null)
  })

  it('takes over their line breaks if the texts differ in nothing else', async () => {
    const { codeEditor } = fakeCodeEditor('a\nb\n')
    await mergeConflict(codeEditor, { base: 'a\n', theirs: 'a\r\nb\r\n' })
    expect(codeEditor.text()).toBe('a\r\nb\r\n')
  })

  it('merges with the line breaks of the saved version', async () => {
    const { codeEditor } = fakeCodeEditor('ONE\r\ntwo\r\nthree')
    await mergeConflict(codeEditor, { base: 'one\r\ntwo\r\nthree', theirs: 'one\r\ntwo\r\nTHREE' })
    expect(codeEditor.text()).toBe('ONE\r\ntwo\r\nTHREE')
  })

  it('compares no texts longer than two MiB in all, and changes nothing', async () => {
    const mine = `mine\n${'x'.repeat(1024 * 1024)}`
    const { codeEditor, setExtension } = fakeCodeEditor(mine)
    const theirs = `theirs\n${'x'.repeat(1024 * 1024)}`
    const { message } = await mergeConflict(codeEditor, { base: 'base', theirs })
    expect(codeEditor.text()).toBe(mine)
    expect(setExtension).not.toHaveBeenCalled()
    expect(message).toContain('too long to compare')
  })
})
