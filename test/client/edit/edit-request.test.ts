import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toJsonBody } from '../../../src/client/edit/edit-request.ts'

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
