import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type BodyLimits, BodyReader } from '../../src/api/large-bodies.ts'
import { parseJsonBytes } from '../../src/api/parse-json.ts'
import { AppError } from '../../src/errors.ts'
import { anyCharacter } from '../fuzz/hostile.ts'

const utf8 = new TextEncoder()
const KiB = 1024

const limits: BodyLimits = { maxContentBytes: 64 * KiB, maxOtherBytes: 64 * KiB }

/** Reads a body in chunks. */
function readChunks(chunks: readonly Uint8Array[], changed: Partial<BodyLimits> = {}): unknown {
  const reader = new BodyReader({ ...limits, ...changed })
  for (const chunk of chunks) reader.push(chunk)
  return reader.end()
}

/** Returns what a function returns, or the status and the issues of the error that it throws. */
function outcome(run: () => unknown): unknown {
  try {
    return { value: run() }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { status: error.status, paths: error.issues?.map(({ path }) => path) }
  }
}

/** Returns the outcomes of reading a body at once, byte by byte, and cut in two, without repetitions. */
function outcomes(body: Uint8Array, cuts: readonly number[]): unknown[] {
  const small = { maxOtherBytes: Math.max(body.length, 1) }
  const splits = [
    [body],
    [...body].map((byte) => Uint8Array.of(byte)),
    ...cuts.map((cut) => [body.subarray(0, cut), body.subarray(cut)]),
  ]
  const all = splits.map((chunks) => outcome(() => readChunks(chunks, small)))
  const [first] = all
  const others = all.filter((other) => JSON.stringify(other) !== JSON.stringify(first))
  return [first, ...others]
}

/** Expects the outcome of `JSON.parse`, wherever the body is cut into chunks. */
const expectSameAsParse = (body: Uint8Array, cuts: readonly number[]) =>
  expect(outcomes(body, cuts)).toEqual([outcome(() => parseJsonBytes(body))])

const everyCut = (body: Uint8Array) => Array.from(body.keys())

describe('a body', () => {
  it.each([
    '{"content":"text"}',
    '\ufeff{"content":"text"}',
    ' \t\r\n{ "content" \n : \r"text"\t, "settings" : { "public" : true } } ',
    '{"content":""}',
    '{"content":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\u00e9\\u6f22\\ud83d\\ude00\\uFFFF"}',
    '{"content":"é漢😀\ufeff\x7f\u2028"}',
    '{"c\\u006fntent":"text"}',
    '{"\\u0063\\u006f\\u006e\\u0074\\u0065\\u006e\\u0074":"text"}',
    '{"content ":"text","Content":"text","conten":"t"}',
    '{"files":[{"name":"a","content":"one"},{"content":"tw\\u006f","name":"b"}],"content":"three"}',
    '{"files":[{"content":"one","content":"two"},{"content":3},{"content":["four"]}]}',
    '{"files":{"0":{"content":"one"}},"settings":{"a":{"content":"two"}},"b":[[{"content":"three"}]]}',
    '[[{"content":"one"}]]',
    '{"content":"first","content":"second"}',
    '{"content":"first","content":5}',
    '{"content":5,"content":"second"}',
    '{"content":"first","c\\u006fntent":null}',
    '{"settings":{"content":"inner"},"content":"outer"}',
    '{"content":"outer","settings":{"content":"inner"}}',
    '{"content":["text"]}',
    '{"content":{"content":"text"}}',
    '{"content":null,"id":"content"}',
    '{"id":"content","content":"id"}',
    '{"a":"{\\"content\\":\\"x\\"}","content":"text"}',
    '{"__proto__":{"content":"text"}}',
    '{"__proto__":"text","constructor":"text","content":"text"}',
    '[{"content":"text"}]',
    '"content"',
    '5',
    'null',
    '',
    ' ',
    '{',
    '{}',
    '{"content":"text"',
    '{"content":"text',
    '{"content":"text\\',
    '{"content":"\\u12',
    '{"content":"\\u12g4"}',
    '{"content":"\\x"}',
    '{"content":"\\U0041"}',
    '{"content":"a\tb"}',
    '{"content":"a\nb"}',
    '{"content":"a\0b"}',
    '{"content":"text"}}',
    '{"content":"text"} more',
    '{"content":"text",}',
    '{"content" "text"}',
    '{"content"::"text"}',
    '{"content":,"text"}',
    '{"content":"text" "text"}',
    '{"a":"content":"text"}',
    '{,"content":"text"}',
    "{'content':'text'}",
    '{content:"text"}',
    '{"cont\\ent":"text"}',
    '{"content\\":"text"}',
    '}{"content":"text"}',
    '{"a":[}],"content":"text"}',
  ])('has the outcome of JSON.parse, wherever it is cut: %j', (text) => {
    const body = utf8.encode(text)
    expectSameAsParse(body, everyCut(body))
  })

  it.each([
    ['in content', [0x22, 0xff, 0x22]],
    ['half a character at the end of content', [0x22, 0xf0, 0x9f, 0x22]],
    ['half a character before an escape', [0x22, 0xf0, 0x9f, 0x5c, 0x6e, 0x22]],
    ['an encoded surrogate after an escaped one', [...utf8.encode('"\\ud83d'), 0xed, 0xb8, 0x80, 0x22]],
    ['an overlong NUL', [0x22, 0xc0, 0x80, 0x22]],
    ['in content that a second one replaces', [0x22, 0xff, ...utf8.encode('","content":"text"')]],
    ['outside of strings', [0xff]],
    ['in another string', [...utf8.encode('5,"a":"'), 0xff, 0x22]],
  ])('is refused if it is not UTF-8: %s', (_, value) => {
    const body = new Uint8Array([...utf8.encode('{"content":'), ...value, 0x7d])
    expect(outcome(() => parseJsonBytes(body))).toEqual({ status: 400, paths: [[]] })
    expectSameAsParse(body, everyCut(body))
  })

  it.each([
    '\\ud83d',
    '\\ude00',
    '\\ud83dx',
    '\\ud83d\\n',
    'é\\ud83d\\u0041',
    '\\ude00\\ud83d',
    '\\ud83d\\ud83d\\ude00',
  ])('keeps a lone surrogate lone: %s', (text) => {
    const body = utf8.encode(`{"content":"${text}"}`)
    const { content } = JSON.parse(`{"content":"${text}"}`)
    for (const cut of everyCut(body)) {
      const read = readChunks([body.subarray(0, cut), body.subarray(cut)]) as { content: string }
      expect(read.content.isWellFormed()).toBe(false)
      expect(read.content.toWellFormed()).toBe(content.toWellFormed())
    }
  })
})

/** Any text, with characters more often than by chance that JSON or UTF-8 treat in a special way. */
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom(
        '"',
        '\\',
        '\0',
        '\x1f',
        '\n',
        'é',
        '漢',
        '😀',
        '\ufeff',
        '"content":"',
        '\\u0041',
        '/',
      ),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''))

/** Writes a string as JSON, some of its characters as escapes. */
const written = fc.tuple(text, fc.infiniteStream(fc.integer({ min: 0, max: 3 }))).map(([value, choices]) => {
  const escaped = value.split('').map((unit) => {
    const code = unit.charCodeAt(0)
    const hex = code.toString(16).padStart(4, '0')
    const choice = choices.next().value
    if (choice === 0) return `\\u${hex}`
    if (choice === 1) return `\\u${hex.toUpperCase()}`
    // Half of a pair can't be written by itself.
    return code >= 0xd800 && code <= 0xdfff ? `\\u${hex}` : JSON.stringify(unit).slice(1, -1)
  })
  return `"${escaped.join('')}"`
})

const name = fc.oneof(
  fc.constantFrom('"content"', '"c\\u006fntent"', '"settings"', '"__proto__"', '"id"', '"Content"'),
  written,
)
const value = fc.oneof(
  written,
  fc.json({ maxDepth: 2 }),
  fc.constantFrom('{"content":"x"}', '5', 'null', '[]'),
)
const space = fc.constantFrom('', '', ' ', '\n\t', '\r')
const member = fc
  .tuple(space, name, space, value, space)
  .map(([before, key, middle, held, after]) => `${before}${key}${middle}:${held}${after}`)
const object = fc.array(member, { maxLength: 5 }).map((members) => `{${members.join(',')}}`)

describe('any body', () => {
  it('has the outcome of JSON.parse, wherever it is cut', () => {
    fc.assert(
      fc.property(object, (json) => {
        const body = utf8.encode(json)
        expectSameAsParse(body, everyCut(body))
      }),
      { numRuns: 200 },
    )
  })

  it('is refused if content that does not count is not UTF-8', () => {
    const body = utf8.encode('{"content":"é","content":0}')
    body.set([0x61, 0x80], 12)
    expect(outcome(() => parseJsonBytes(body))).toMatchObject({ status: 400 })
    expectSameAsParse(body, everyCut(body))
  })

  it('has the outcome of JSON.parse if one byte of it is another, missing or twice there', () => {
    fc.assert(
      fc.property(object, fc.nat(), fc.nat(255), fc.nat(2), (json, where, byte, change) => {
        const body = [...utf8.encode(json)]
        const at = where % body.length
        body.splice(at, change === 0 ? 0 : 1, ...(change === 2 ? [] : [byte]))
        const changed = new Uint8Array(body)
        const expected = outcome(() => parseJsonBytes(changed)) as { value?: { content?: unknown } }
        const content = expected.value?.content
        // Of several lone surrogates only the first is kept, because none of them is accepted.
        fc.pre(typeof content !== 'string' || content.isWellFormed())
        expectSameAsParse(changed, [at, at + 1])
      }),
      { numRuns: 500 },
    )
  })
})

describe('the limits', () => {
  /** Returns the status of the refusal, and how many bytes were read until then; null if there is no refusal. */
  function findRefusal(chunks: Iterable<Uint8Array>, changed: Partial<BodyLimits> = {}) {
    const reader = new BodyReader({ ...limits, ...changed })
    let read = 0
    for (const chunk of chunks) {
      read += chunk.length
      const refusal = outcome(() => reader.push(chunk)) as { status?: number }
      if (refusal.status !== undefined) return { status: refusal.status, read }
    }
    return null
  }

  function* repeat(start: string, part: string, bytes: number): Generator<Uint8Array> {
    yield utf8.encode(start)
    const chunk = utf8.encode(part.repeat(Math.ceil((4 * KiB) / part.length)))
    for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk
  }

  it.each([
    ['objects in an ignored member', '{"content":"x","ignored":[', '{},'],
    ['arrays in each other', '', '['],
    ['objects in each other', '', '{"a":'],
    ['members', '{', '"a":1,'],
    ['numbers', '[', '1,'],
    ['a long name', '{"', 'name'],
    ['a long string in another member', '{"settings":{"title":"', 'title'],
    ['a long number', '', '9'],
    ['spaces', '', ' '],
    ['content that is repeated', '{"content":"x"', ',"content":"x"'],
    ['files', '{"files":[{"content":"x"}', ',{"content":"x"}'],
  ])('refuse more than 64 KiB besides content: %s', (_, start, part) => {
    const refusal = findRefusal(repeat(start, part, 1024 * KiB))
    expect(refusal?.status).toBe(413)
    expect(refusal?.read).toBeLessThan(80 * KiB)
  })

  it.each([
    ['as it is', 'a', 1],
    ['as escapes', '\\u0061', 6],
    ['as short escapes', '\\n', 2],
    ['as escaped characters of two bytes', '\\u00e9', 3],
    ['as escaped characters of three bytes', '\\u6f22', 2],
    ['as escaped pairs', '\\ud83d\\ude00', 3],
  ])('refuse content of more bytes as soon as they are there: %s', (_, part, wireBytesPerByte) => {
    const refusal = findRefusal(repeat('{"content":"', part, 1024 * KiB))
    expect(refusal?.status).toBe(413)
    expect(refusal?.read).toBeGreaterThan(64 * KiB * wireBytesPerByte - 16)
    expect(refusal?.read).toBeLessThan((64 + 4) * KiB * wireBytesPerByte + 4 * KiB)
  })

  it('accept content of exactly as many bytes, however it is written', () => {
    for (const part of ['a', '\\u0061', '\\n', '\\ud83d\\ude00']) {
      const character = JSON.parse(`"${part}"`)
      const count = (64 * KiB) / utf8.encode(character).length
      const body = utf8.encode(`{"content":"${part.repeat(count)}"}`)
      const expected = { content: character.repeat(count) }
      expect(outcome(() => readChunks([body]))).toEqual({ value: expected })
      const larger = utf8.encode(`{"content":"${part.repeat(count)}${part}"}`)
      expect(outcome(() => readChunks([larger]))).toMatchObject({ status: 413 })
    }
  })
})
