import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { formatLimit, readTextFile, requireContent } from '../../src/client/editor/document-form.ts'
import { findLanguages } from '../../src/client/editor/language-field.ts'
import { isSaveShortcut, requestApi, toSaveError } from '../../src/client/editor/save-form.ts'
import { LANGUAGES } from '../../src/shared/languages.ts'

const fetchMock = vi.fn<typeof fetch>()

const respond = (body: unknown, init: ResponseInit = {}) =>
  fetchMock.mockResolvedValue(new Response(typeof body === 'string' ? body : JSON.stringify(body), init))

/** A server that never responds. */
const hang = () =>
  fetchMock.mockImplementation(
    (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      }),
  )

describe('requestApi', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    fetchMock.mockReset()
    vi.stubGlobal('fetch', fetchMock)
  })

  afterEach(() => {
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })

  it('returns the data and the entity tag', async () => {
    respond({ data: { id: 'x' } }, { headers: { ETag: '"1"' } })
    expect(await requestApi('/v1/document/x')).toEqual({ data: { id: 'x' }, etag: '"1"' })
  })

  it('never asks a cache', async () => {
    respond({ data: {} })
    await requestApi('/v1/document/x')
    expect(fetchMock.mock.calls[0]?.[1]?.cache).toBe('no-store')
  })

  it('throws the error that the API reports', async () => {
    respond({ error: { code: 'precondition_failed', message: 'Changed' } }, { status: 412 })
    await expect(requestApi('/v1/document')).rejects.toMatchObject({ code: 'precondition_failed' })
  })

  it.each(['no JSON', '{}'])('takes the response %s for an error of the server', async (body) => {
    respond(body, { status: 500 })
    await expect(requestApi('/v1/document')).rejects.toMatchObject({ code: 'internal_error' })
  })

  it('says so when the server cannot be reached', async () => {
    fetchMock.mockRejectedValue(new TypeError('failed to fetch'))
    await expect(requestApi('/v1/document')).rejects.toThrow('Can’t reach the server')
  })

  it('gives up on a response after a minute', async () => {
    hang()
    const request = expect(requestApi('/v1/document')).rejects.toThrow('Can’t reach the server')
    await vi.advanceTimersByTimeAsync(59_999)
    expect(fetchMock.mock.calls[0]?.[1]?.signal?.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await request
  })

  it('waits longer for a large upload', async () => {
    hang()
    const body = 'x'.repeat(80_000)
    const request = expect(requestApi('/v1/document', { method: 'POST', body })).rejects.toThrow()
    await vi.advanceTimersByTimeAsync(69_999)
    expect(fetchMock.mock.calls[0]?.[1]?.signal?.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await request
  })
})

describe('an API error', () => {
  it.each([
    ['content', 'content'],
    ['language', 'language'],
    ['create_gist', 'create_gist'],
    ['image_embed', null],
  ])('about the setting %s is shown at the field %s', (name, field) => {
    const errors = [{ path: ['settings', name], message: 'Too long' }]
    const error = toSaveError({ code: 'bad_request', message: 'Invalid', errors })
    expect(error).toMatchObject({ message: 'Too long.', field, code: 'bad_request' })
  })

  it('about the content as a whole is shown at the text', () => {
    const errors = [{ path: ['content'], message: 'Too short' }]
    expect(toSaveError({ code: 'bad_request', message: 'Invalid', errors }).field).toBe('content')
  })

  it('about one of the editors names them', () => {
    const errors = [{ path: ['settings', 'editors', 1], message: 'There is no such account' }]
    const error = toSaveError({ code: 'bad_request', message: 'Invalid', errors }, ['Ada', 'Grace'])
    expect(error).toMatchObject({ message: 'There is no such account: Grace.', field: 'editors' })
  })

  it.each([
    ['expiration', 'Must be ahead', 'expiration', 'Choose an expiry between 1 minute and 10 years from now.'],
    ['editors', 'Too big: expected array', 'editors', 'A document can have at most 50 editors.'],
  ])('about the setting %s is put in the words of the form', (name, message, field, expected) => {
    const errors = [{ path: ['settings', name], message }]
    const error = toSaveError({ code: 'bad_request', message: 'Invalid', errors }, ['Ada'])
    expect(error).toMatchObject({ message: expected, field })
  })

  it('is shown with typographic apostrophes', () => {
    const errors = [{ path: ['settings', 'create_gist'], message: "GitHub isn't connected" }]
    const error = toSaveError({ code: 'bad_request', message: 'Invalid', errors })
    expect(error.message).toBe('GitHub isn’t connected.')
  })

  it.each([
    ['unauthorized', /signed out/, null],
    ['not_found', /no longer exists/, null],
    ['content_too_large', /too large/, 'content'],
    ['rate_limited', /Your text is still here\. From the API\./, null],
    ['internal_error', /on our side/, null],
    ['unavailable', /on our side/, null],
  ])('with the code %s says what to do', (code, message, field) => {
    const error = toSaveError({ code, message: 'From the API' })
    expect(error.message).toMatch(message)
    expect(error).toMatchObject({ field, code })
  })

  it('with any other code is shown as the API put it', () => {
    expect(toSaveError({ code: 'bad_auth', message: 'Slow down' }).message).toBe('Slow down.')
  })
})

const MIB = 1024 * 1024

describe('formatLimit', () => {
  it.each([
    [10 * MIB, '10 MiB'],
    [1.5 * MIB, '1.5 MiB'],
    // Rounded down: a promise of more would be wrong.
    [1.99 * MIB, '1.9 MiB'],
    [65_536, '65,536 bytes'],
  ])('formats %i as %s', (bytes, formatted) => {
    expect(formatLimit(bytes)).toBe(formatted)
  })
})

describe('requireContent', () => {
  it('returns a text that fits', async () => {
    expect(await requireContent('é', 2)).toBe('é')
  })

  it.each([
    ['', /Write something/],
    ['\uD83D', /invalid character/],
    ['éé', /limit is 3 bytes/],
    ['xxxx', /limit is 3 bytes/],
  ])('refuses %j', async (text, message) => {
    await expect(requireContent(text, 3)).rejects.toMatchObject({
      message: expect.stringMatching(message),
      field: 'content',
    })
  })
})

const MAX_BYTES = 1_000

const read = (content: BlobPart) => readTextFile(new File([content], 'a.bin'), MAX_BYTES)

describe('readTextFile', () => {
  it.each(['', 'plain', '\uFEFFwith a byte order mark', 'a\r\nb\rc\n', 'emoji 😀'])(
    'returns %j as it is',
    async (text) => {
      expect(await read(text)).toEqual({ text, convertedFrom: null })
    },
  )

  it('returns a file of exactly the limit', async () => {
    expect((await read('x'.repeat(MAX_BYTES))).text).toHaveLength(MAX_BYTES)
  })

  it.each([
    ['larger than the limit', 'x'.repeat(MAX_BYTES + 1), /larger than 1,000 bytes/],
    ['of broken UTF-16', new Uint8Array([0xff, 0xfe, 0x00]), /isn’t a text file/],
    [
      'in an encoding that nothing declares',
      new Uint8Array([0x66, 0xfc, 0x72]),
      /iconv -f ISO-8859-1 -t UTF-8/,
    ],
  ])('refuses a file %s', async (_, content, message) => {
    await expect(read(content)).rejects.toMatchObject({
      message: expect.stringMatching(message),
      field: 'content',
    })
  })

  it('takes a log with NUL, which is UTF-8', async () => {
    expect(await read('a\0b\n')).toEqual({ text: 'a\0b\n', convertedFrom: null })
  })

  it.each([
    ['UTF-16LE', [0xff, 0xfe, 0x68, 0, 0xe9, 0, 0x3d, 0xd8, 0, 0xde]],
    ['UTF-16BE', [0xfe, 0xff, 0, 0x68, 0, 0xe9, 0xd8, 0x3d, 0xde, 0]],
  ] as const)('converts %s with a byte order mark', async (convertedFrom, bytes) => {
    expect(await read(new Uint8Array(bytes))).toEqual({ text: 'hé😀', convertedFrom })
  })

  it('measures UTF-16 by what it becomes', async () => {
    const bytes = Uint8Array.from({ length: 2 * (MAX_BYTES - 1) + 2 }, (_, index) => (index % 2 ? 0 : 0x61))
    bytes.set([0xff, 0xfe])
    expect((await read(bytes)).text).toHaveLength(MAX_BYTES - 1)
  })

  it('refuses a file that cannot be read', async () => {
    const file = new File(['x'], 'gone.txt')
    file.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotFoundError'))
    await expect(readTextFile(file, MAX_BYTES)).rejects.toThrow(/“gone.txt”: your browser couldn’t read it/)
  })
})

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

describe('findLanguages', () => {
  it('puts what is named so first, then what begins so, then what contains it', () => {
    expect(findLanguages('c').slice(0, 2)).toEqual(['c', 'clojure'])
    expect(findLanguages('script')).toEqual(['coffeescript', 'javascript', 'typescript'])
    expect(findLanguages(' PY ')[0]).toBe('python')
    expect(findLanguages('rb')[0]).toBe('ruby')
  })

  it('offers all of them, and detection first, until something is typed', () => {
    expect(findLanguages('').slice(0, 2)).toEqual(['auto', 'plaintext'])
    expect(findLanguages('')).toHaveLength(LANGUAGES.length + 1)
    expect(findLanguages('nothing like it')).toEqual([])
  })
})
