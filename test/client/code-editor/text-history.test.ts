import { describe, expect, it } from 'vitest'
import { findChange, TextHistory } from '../../../src/client/code-editor/text-history.ts'

describe('a history of a text', () => {
  it('has every change, with its time', () => {
    const history = new TextHistory('', 1)
    history.record('a', 2)
    history.record('a', 3)
    history.record('ab', 4)
    expect(history.snapshots).toEqual([
      { text: '', time: 1 },
      { text: 'a', time: 2 },
      { text: 'ab', time: 4 },
    ])
  })

  it('keeps only the first and the last text if they are very long', () => {
    const history = new TextHistory('', 1)
    const long = 'x'.repeat(3_000_000)
    for (let time = 2; time < 6; time++) history.record(long + time, time)
    expect(history.snapshots.length).toBeLessThan(4)
    expect(history.snapshots.at(0)?.text).toBe('')
    expect(history.snapshots.at(-1)?.text.endsWith('5')).toBe(true)
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
