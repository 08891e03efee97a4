import { expect, it, vi } from 'vitest'
import { selectLines } from '../../src/http/line-range.ts'

it('a line is found without decoding a text, unless only CR could end its lines', () => {
  const decode = vi.spyOn(TextDecoder.prototype, 'decode')
  const select = (text: string) => selectLines(new TextEncoder().encode(text), { from: 3, to: null })
  expect(select('one line')).toBe(1)
  expect(select('one\ntwo')).toBe(2)
  expect(select('one\r\ntwo\r\n')).toBe(2)
  expect(decode).not.toHaveBeenCalled()
  expect(select('one\rtwo\r')).toBe(2)
  expect(decode).toHaveBeenCalledOnce()
})
