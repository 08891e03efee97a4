import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { mergeConflict, mergeTexts } from '../../src/client/editor/conflict.ts'
import { type FieldValues, mergeFields, toFields } from '../../src/client/editor/edit-document.ts'
import { toJsonBody } from '../../src/client/editor/save-form.ts'
import type { CodeEditor } from '../../src/client/editor/text-box.ts'

const SLICE = 512 * 1024

const read = async (body: string | Blob): Promise<unknown> =>
  JSON.parse(typeof body === 'string' ? body : await body.text())

describe('a JSON body', () => {
  it('holds the content and the other members', async () => {
    expect(await read(await toJsonBody({ id: 'x' }, 'text'))).toEqual({ content: 'text', id: 'x' })
  })

  it('has no content if none is given', async () => {
    expect(await read(await toJsonBody({ id: 'x' }))).toEqual({ id: 'x' })
  })

  it('holds any long content unchanged', async () => {
    const end = fc.string({ unit: 'binary', maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(end, async (characters) => {
        const content = 'x'.repeat(SLICE - 10) + characters.repeat(3)
        expect(await read(await toJsonBody({ settings: {} }, content))).toEqual({ content, settings: {} })
      }),
      { numRuns: 10 },
    )
  })

  it('keeps a character whose surrogate pair is split between two slices', async () => {
    const content = `${'x'.repeat(SLICE - 1)}😀${'y'.repeat(SLICE)}`
    const body = await toJsonBody({ settings: {} }, content)
    expect(body).toBeInstanceOf(Blob)
    expect(await read(body)).toEqual({ content, settings: {} })
  })
})

const FIELDS: FieldValues = {
  title: 'a.go',
  name: '',
  language: 'go',
  visibility: 'unlisted',
  image_embed: '',
  instant_delete: '',
}

describe('settings that two people change at the same time', () => {
  it('are both kept if they are different settings', () => {
    const mine = { ...FIELDS, visibility: 'public' }
    const theirs = { ...FIELDS, language: 'rust' }
    expect(mergeFields({ base: FIELDS, mine, theirs })).toEqual({
      merged: { ...FIELDS, visibility: 'public', language: 'rust' },
      contested: [],
    })
  })

  it('stay mine if they are the same setting, which is reported', () => {
    const mine = { ...FIELDS, language: 'c' }
    const theirs = { ...FIELDS, language: 'rust', image_embed: 'yes' }
    expect(mergeFields({ base: FIELDS, mine, theirs })).toEqual({
      merged: { ...FIELDS, language: 'c', image_embed: 'yes' },
      contested: ['language'],
    })
  })

  it('are not reported if both chose the same value', () => {
    const both = { ...FIELDS, instant_delete: 'yes' }
    expect(mergeFields({ base: FIELDS, mine: both, theirs: both })).toEqual({
      merged: both,
      contested: [],
    })
  })
})

describe('the fields of a form', () => {
  const SETTINGS = { title: 'a.go', language: 'go', public: false, image_embed: false, instant_delete: false }

  it("leave out what the API shows and the form can't change", () => {
    expect(toFields({ ...SETTINGS, ...{ encrypted: true, editors: ['ada'] } })).toEqual(FIELDS)
  })

  it('have an empty title if the API shows none', () => {
    const { title: _, ...shown } = SETTINGS
    expect(toFields(shown).title).toBe('')
  })

  it('have the language that an alias stands for, as the list of languages does', () => {
    expect(toFields({ ...SETTINGS, language: 'golang' }).language).toBe('go')
  })

  it('have the value of each setting that is on', () => {
    const shown = { ...SETTINGS, public: true, image_embed: true }
    expect(toFields(shown)).toEqual({ ...FIELDS, visibility: 'public', image_embed: 'yes' })
  })
})

const BEFORE = 'one\ntwo\nthree\nfour\nfive\nsix\nseven'

/** Few distinct lines, so that they repeat and move. */
const text = fc
  .array(fc.constantFrom('', 'a', 'b', 'c', '😀', '\r'), { maxLength: 12 })
  .map((lines) => lines.join('\n'))

describe('mergeTexts', () => {
  it.each([
    [
      'far from each other',
      'ONE\ntwo\nthree\nfour\nfive\nsix\nseven',
      'one\ntwo\nthree\nfour\nfive\nsix\nSEVEN',
      {
        text: 'ONE\ntwo\nthree\nfour\nfive\nsix\nSEVEN',
        conflicts: 0,
      },
    ],
    [
      'of the same line',
      BEFORE.replace('four', 'mine'),
      BEFORE.replace('four', 'theirs'),
      {
        text: BEFORE.replace('four', 'mine'),
        conflicts: 1,
      },
    ],
    [
      'to the same',
      BEFORE.replace('four', 'same'),
      BEFORE.replace('four', 'same'),
      {
        text: BEFORE.replace('four', 'same'),
        conflicts: 0,
      },
    ],
    [
      'that add lines at both ends',
      `zero\n${BEFORE}`,
      `${BEFORE}\neight`,
      {
        text: `zero\n${BEFORE}\neight`,
        conflicts: 0,
      },
    ],
    [
      'that delete lines at both ends',
      BEFORE.replace('one\n', ''),
      BEFORE.replace('\nseven', ''),
      {
        text: 'two\nthree\nfour\nfive\nsix',
        conflicts: 0,
      },
    ],
    ['of which one deletes everything', '', BEFORE.replace('four', 'theirs'), { text: '', conflicts: 1 }],
  ])('merges two changes %s', (_, mine, theirs, merged) => {
    expect(mergeTexts(BEFORE, mine, theirs)).toEqual(merged)
  })

  it('returns the only change unchanged, whichever side it is on', () => {
    fc.assert(
      fc.property(text, text, (base, changed) => {
        expect(mergeTexts(base, changed, base).text).toBe(changed)
        expect(mergeTexts(base, base, changed).text).toBe(changed)
        expect(mergeTexts(base, changed, changed).text).toBe(changed)
      }),
      { numRuns: 2_000 },
    )
  })

  it('keeps every added line, unless both sides conflict', () => {
    fc.assert(
      fc.property(text, fc.nat(11), fc.nat(11), (base, one, other) => {
        const lines = base.split('\n')
        const withLine = (at: number, line: string) =>
          lines.toSpliced(Math.min(at, lines.length), 0, line).join('\n')
        const { text: merged, conflicts } = mergeTexts(base, withLine(one, 'mine'), withLine(other, 'theirs'))
        expect(merged.split('\n')).toContain('mine')
        expect(merged.split('\n').includes('theirs')).toBe(conflicts === 0)
      }),
      { numRuns: 2_000 },
    )
  })
})

/** A code editor without a page, which holds a text. */
function fakeCodeEditor(initial: string) {
  let text = initial
  const setExtension = vi.fn<CodeEditor['setExtension']>()
  const codeEditor = {
    text: () => text,
    replace: (replacement: string) => {
      text = replacement
      return true
    },
    change: () => {},
    select: () => {},
    setExtension,
  }
  return { codeEditor, setExtension }
}

const LINES = 'one\ntwo\nthree\nfour\nfive'

describe('mergeConflict', () => {
  it('merges a change elsewhere into the text and shows the differences', () => {
    const { codeEditor, setExtension } = fakeCodeEditor(LINES.replace('one', 'ONE'))
    const theirs = LINES.replace('five', 'FIVE')
    const { message, saved } = mergeConflict(codeEditor, { base: LINES, theirs })
    expect(codeEditor.text()).toBe(LINES.replace('one', 'ONE').replace('five', 'FIVE'))
    expect(saved).toBe(theirs)
    expect(setExtension).toHaveBeenCalledWith(expect.anything())
    expect(message).toContain('Their changes are already in your text')
  })

  it('keeps mine where both changed the same lines', () => {
    const mine = LINES.replace('one', 'mine')
    const { codeEditor } = fakeCodeEditor(mine)
    const { message } = mergeConflict(codeEditor, {
      base: LINES,
      theirs: LINES.replace('one', 'theirs'),
    })
    expect(codeEditor.text()).toBe(mine)
    expect(message).not.toContain('already in your text')
    expect(message).toContain('choose between their version, crossed out, and yours')
  })

  it('takes over their text if mine is unchanged', () => {
    const { codeEditor, setExtension } = fakeCodeEditor(LINES)
    const { saved } = mergeConflict(codeEditor, { base: LINES, theirs: 'theirs\r\nmixed\n' })
    expect(codeEditor.text()).toBe('theirs\r\nmixed\n')
    expect(saved).toBe('theirs\r\nmixed\n')
    expect(setExtension).toHaveBeenCalledWith(null)
  })

  it('takes over their line breaks if the texts differ in nothing else', () => {
    const { codeEditor } = fakeCodeEditor('a\nb\n')
    mergeConflict(codeEditor, { base: 'a\n', theirs: 'a\r\nb\r\n' })
    expect(codeEditor.text()).toBe('a\r\nb\r\n')
  })

  it('merges with the line breaks of the saved version', () => {
    const { codeEditor } = fakeCodeEditor('ONE\r\ntwo\r\nthree')
    mergeConflict(codeEditor, { base: 'one\r\ntwo\r\nthree', theirs: 'one\r\ntwo\r\nTHREE' })
    expect(codeEditor.text()).toBe('ONE\r\ntwo\r\nTHREE')
  })

  it('compares no texts longer than two MiB in all, and changes nothing', () => {
    const mine = `mine\n${'x'.repeat(1024 * 1024)}`
    const { codeEditor, setExtension } = fakeCodeEditor(mine)
    const theirs = `theirs\n${'x'.repeat(1024 * 1024)}`
    const { message } = mergeConflict(codeEditor, { base: 'base', theirs })
    expect(codeEditor.text()).toBe(mine)
    expect(setExtension).not.toHaveBeenCalled()
    expect(message).toContain('too long to compare')
  })
})
