import { describe, expect, it } from 'vitest'
import { requireFewPairs, requireFewParts } from '../../src/http/content-form.lazy.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const multipart = 'multipart/form-data; boundary=xyz'
const part = '--xyz\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'

describe('a URL-encoded form', () => {
  it('may have 100 separators', () => {
    expect(() => requireFewPairs(encode('a=1&'.repeat(100)))).not.toThrow()
    expect(() => requireFewPairs(encode('a=1&'.repeat(101)))).toThrow('couldn’t be read')
  })
})

describe('a multipart form', () => {
  it('may have 100 parts', () => {
    expect(() => requireFewParts(encode(`${part.repeat(100)}--xyz--`), multipart)).not.toThrow()
    expect(() => requireFewParts(encode(`${part.repeat(101)}--xyz--`), multipart)).toThrow('couldn’t be read')
    expect(() => requireFewParts(encode(`${part.replaceAll('\r', '').repeat(200)}`), multipart)).toThrow()
  })

  it.each(['multipart/form-data; boundary="xyz"', 'multipart/form-data;charset=utf-8;Boundary=xyz; a=b'])(
    'has its boundary in %s',
    (contentType) => {
      expect(() => requireFewParts(encode(part), contentType)).not.toThrow()
      expect(() => requireFewParts(encode(part.repeat(200)), contentType)).toThrow()
    },
  )

  it.each([
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=abc; boundary=xyz',
    'multipart/form-data; a="boundary=abc"; boundary=xyz',
  ])('needs one boundary: %s', (contentType) => {
    expect(() => requireFewParts(encode(part), contentType)).toThrow('couldn’t be read')
  })

  it('may have text with any number of lines that look like a boundary', () => {
    const text = `${part}${'--xy\n--\n-- xyz\n'.repeat(1000)}--xyz--`
    expect(() => requireFewParts(encode(text), multipart)).not.toThrow()
  })
})
