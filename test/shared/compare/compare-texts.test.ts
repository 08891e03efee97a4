import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Comparison, compareTexts, countChanges } from '../../../src/shared/compare/compare-texts.ts'
import type { Part } from '../../../src/shared/compare/compare-words.ts'
import { WorkLimit } from '../../../src/shared/compare/diff-tokens.ts'

/** Compares two texts that aren't the same, too long or too different. */
function compare(old: string, current: string): Comparison {
  const result = compareTexts(old, current)
  if (typeof result === 'string') throw new Error(`not compared: ${result}`)
  return result
}

/** Writes a comparison in the unified format, with «…» around changed words. */
function format({ blocks }: Comparison): string[] {
  return blocks.flatMap((block) => {
    const write = (sign: string, { parts }: { readonly parts: readonly Part[] }) =>
      sign +
      parts
        .map(({ text, changed, omitted }) =>
          omitted === undefined ? (changed ? `«${text}»` : text) : `[${omitted}]`,
        )
        .join('')
    switch (block.kind) {
      case 'unchanged':
        return block.lines.map((line) => write(' ', line))
      case 'changed':
        return [
          ...block.removed.map((line) => write('-', line)),
          ...block.added.map((line) => write('+', line)),
        ]
      case 'folded':
        return [`@ ${block.count}`]
      case 'omitted':
        return [`… -${block.removed} +${block.added}`]
      default:
        throw new TypeError(`unknown block: ${JSON.stringify(block satisfies never)}`)
    }
  })
}

const numberLines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join('')

describe('comparing texts', () => {
  it('marks changed words in changed lines', () => {
    const comparison = compare('one\nconst port = 8080\nthree\n', 'one\nconst host = 8080\nthree\n')
    expect(format(comparison)).toEqual([' one', '-const «port» = 8080', '+const «host» = 8080', ' three'])
    expect(comparison).toMatchObject({ removed: 1, added: 1 })
  })

  it('marks no words in lines that have little in common', () => {
    expect(format(compare('alpha beta\n', 'completely different\n'))).toEqual([
      '-alpha beta',
      '+completely different',
    ])
  })

  it('marks what changed within a word that is most of a line', () => {
    const key = '0123456789abcdefghijklmnopqrstuvwxyz'
    expect(format(compare(`a = '${key}'\n`, `a = '${key}ABC'\n`))).toEqual([
      `-a = '${key}'`,
      `+a = '${key}«ABC»'`,
    ])
  })

  it('puts a line beside the one that it replaces, and an inserted line by itself', () => {
    const blocks = format(compare('call(first)\n', 'const inserted = 1\ncall(second)\n'))
    expect(blocks).toEqual(['+const inserted = 1', '-call(«first»)', '+call(«second»)'])
  })

  it('counts lines from 1 on both sides', () => {
    const { blocks } = compare('a\nb\nc\n', 'a\nx\ny\nc\n')
    expect(blocks).toMatchObject([
      { lines: [{ oldNumber: 1, newNumber: 1 }] },
      { removed: [{ number: 2 }], added: [{ number: 2 }, { number: 3 }] },
      { lines: [{ oldNumber: 3, newNumber: 4 }] },
    ])
  })

  it('folds long unchanged stretches', () => {
    const comparison = compare(`${numberLines(1, 50)}x\n${numberLines(51, 60)}`, `${numberLines(1, 60)}`)
    expect(format(comparison)).toEqual([
      '@ 47',
      ...[' line 48', ' line 49', ' line 50', '-x', ' line 51', ' line 52', ' line 53'],
      '@ 7',
    ])
    const [fold] = comparison.blocks
    expect(fold).toMatchObject({ kind: 'folded', lines: { length: 47 } })
  })

  it('leaves stretches that are too long for a page out of it', () => {
    const [fold] = compare(`${numberLines(1, 5_000)}x\n`, numberLines(1, 5_000)).blocks
    expect(fold).toMatchObject({ kind: 'folded', count: 4_997, lines: [] })
  })

  it('shows a line break that was added to the end, and one that became CR LF', () => {
    expect(compare('a', 'a\n').blocks).toMatchObject([
      { removed: [{ lacksLineBreak: true, parts: [{ text: 'a' }] }], added: [{ parts: [{ text: 'a' }] }] },
    ])
    expect(format(compare('some words\n', 'some words\r\n'))).toEqual(['-some words', '+some words«\r»'])
    expect(format(compare('a b c\r\nd\r\n', 'a b x\r\nd\r\n'))).toEqual(['-a b «c»', '+a b «x»', ' d'])
  })

  it('never splits an emoji, a flag or a letter from its accents', () => {
    const [old, current] = ['Hi 👩🏽‍🚀 🇩🇪 e\u0301 ok and so on\n', 'Hi 👩🏻‍🚀 🇩🇰 e\u0300 ok and so on\n']
    expect(format(compare(old, current))).toEqual([
      '-Hi «👩🏽‍🚀 🇩🇪 e\u0301» ok and so on',
      '+Hi «👩🏻‍🚀 🇩🇰 e\u0300» ok and so on',
    ])
  })

  it('compares scripts without spaces by character', () => {
    expect(format(compare('春眠不覚暁処処\n', '春眠不覚夜処処\n'))).toEqual([
      '-春眠不覚«暁»処処',
      '+春眠不覚«夜»処処',
    ])
  })

  it('finds the lines of texts that only have CR', () => {
    expect(format(compare('a\rb\rc', 'a\rx\rc'))).toEqual([' a', '-b', '+x', ' c'])
    expect(format(compare('a\nb\n', 'a\rb\r'))).toEqual(['-a', '-b', '+a«\r»', '+b«\r»'])
  })

  it('tells when the texts are the same', () => expect(compareTexts('a\n', 'a\n')).toBe('same'))

  it('keeps every line of both texts', () => {
    const line = fc.constantFrom('a\n', 'b\n', 'c d\n', 'c e\n', '\n')
    const text = fc
      .tuple(fc.array(line, { maxLength: 40 }), fc.constantFrom('', 'a', 'end'))
      .map(([lines, end]) => lines.join('') + end)
    fc.assert(
      fc.property(text, text, (old, current) => {
        fc.pre(old !== current)
        const shown = compare(old, current).blocks.flatMap((block): [string, readonly Part[]][] => {
          if (block.kind === 'omitted') return []
          if (block.kind !== 'changed') return block.lines.map(({ parts }) => [' ', parts])
          return [
            ...block.removed.map(({ parts }): [string, readonly Part[]] => ['-', parts]),
            ...block.added.map(({ parts }): [string, readonly Part[]] => ['+', parts]),
          ]
        })
        const join = (signs: string) =>
          shown
            .filter(([sign]) => signs.includes(sign))
            .map(([, parts]) => parts.map(({ text }) => text).join(''))
            .join('\n')
        expect(join(' -')).toBe(old.replace(/\n$/, ''))
        expect(join(' +')).toBe(current.replace(/\n$/, ''))
      }),
    )
  })
})

describe('the limits of comparing', () => {
  const MIB = 1024 * 1024

  /** Comparing in quadratic time would take longer than the test may. */
  function compareLong(old: string, current: string) {
    const result = compareTexts(old, current)
    expect(JSON.stringify(result).length).toBeLessThan(4 * MIB)
    return result
  }

  it('compares different texts of 10 MiB', () => {
    const old = Array.from({ length: 99_000 }, (_, index) => `old ${index} ${'x'.repeat(95)}`).join('\n')
    const result = compareLong(old, old.replaceAll('old', 'new'))
    expect(result).toMatchObject({ removed: 99_000, added: 99_000 })
  })

  it('marks where lines of 10 MiB differ, and leaves out the rest', () => {
    const [start, end] = ['😀'.repeat(MIB), 'y'.repeat(6 * MIB)]
    const result = compareLong(`${start}😁${end}`, `${start}😂😂${end}`)
    expect(format(result as Comparison)).toEqual([
      expect.stringMatching(/^-(?:😀)+\[\d+\](?:😀)+«😁»y+\[\d+\]y+$/u),
      expect.stringMatching(/^\+(?:😀)+\[\d+\](?:😀)+«😂😂»y+\[\d+\]y+$/u),
    ])
  })

  it('gives up on texts with too many lines', () => {
    expect(compareLong('\n'.repeat(10 * MIB), `x${'\n'.repeat(10 * MIB)}`)).toBe('too-long')
  })

  it('counts no more changes once no steps are left, also where that would take none', () => {
    expect(countChanges('a\n', 'b\n', new WorkLimit(1))).toEqual({ removed: 1, added: 1 })
    expect(countChanges('a\n', 'b\n', new WorkLimit(0))).toBe(null)
  })

  it('gives up on texts whose lines are in another order', () => {
    const lines = Array.from({ length: 90_000 }, (_, index) => `line ${index}`)
    expect(compareLong(lines.join('\n'), lines.toReversed().join('\n'))).toBe('too-different')
  })

  it('gives up on texts of few different lines that repeat in other ways', () => {
    const repeat = (one: string, count: number) => one.repeat(count)
    expect(compareLong(`x${repeat('a\n', 90_000)}y`, `z${repeat('a\na\nb\n', 30_000)}w`)).toBe(
      'too-different',
    )
  })

  it('compares many changed lines with many words', () => {
    const lines = Array.from({ length: 3_000 }, (_, line) =>
      Array.from({ length: 300 }, (_, word) => `w${(line * 7 + word * word) % 97}`),
    )
    const write = (words: readonly (readonly string[])[]) => words.map((line) => line.join(' ')).join('\n')
    expect(compareLong(write(lines), write(lines.map((line) => line.toReversed())))).toMatchObject({
      removed: 3_000,
    })
  })
})
