import { describe, expect, it } from 'vitest'
import { account } from '../../support/accounts.ts'
import { send } from '../../support/client.ts'

const MiB = 1024 * 1024

/** Sends a body of `bytes` bytes that repeats a part. Returns the answer, and how much of the body was read. */
async function post(
  start: string,
  part: string,
  bytes: number,
  { path = '/v1/document', method = 'POST', ...headers }: Record<string, string> = {},
) {
  let read = 0
  const chunk = new TextEncoder().encode(part.repeat(Math.ceil((64 * 1024) / part.length)))
  const body = new ReadableStream({
    type: 'bytes',
    pull(controller) {
      const next = read === 0 ? new TextEncoder().encode(start + part) : chunk.slice()
      read += next.length
      controller.enqueue(next)
      if (read >= bytes) controller.close()
    },
  })
  const init = { method, headers: { 'Content-Type': 'application/json', ...headers }, body }
  const response = await send(path, init)
  const answer = await response.json<{ error?: { message: string } }>()
  return { status: response.status, message: answer.error?.message, read }
}

const tooLarge = { status: 413, message: 'Content is too large' }

describe('a hostile body', () => {
  it.each([
    ['6 MiB of objects in an ignored member', '{"content":"x","ignored":[', '{},', 6 * MiB],
    ['40 MiB of arrays in each other', '', '[', 40 * MiB],
    ['1 MiB of members', '{"content":"x"', ',"a":1', MiB],
    ['1 MiB of settings', '{"content":"x","settings":{"title":"', 'x', MiB],
    ['1 MiB of spaces', '{"content":"x"', ' ', MiB],
  ])('is refused before it has been read: %s', async (_, start, part, bytes) => {
    const { read, ...answer } = await post(start, part, bytes)
    expect(answer).toEqual(tooLarge)
    expect(read).toBeLessThan(512 * 1024)
  })

  it('is read to its end and not kept if its content is too large, so that the client gets the answer', async () => {
    const { read, ...answer } = await post('{"content":"', '\\n', 40 * MiB)
    expect(answer).toEqual(tooLarge)
    expect(read).toBeGreaterThanOrEqual(40 * MiB)
    const endless = await post('{"content":"', 'x', 100 * MiB)
    expect(endless).toMatchObject(tooLarge)
    expect(endless.read).toBeLessThan(61 * MiB)
  })

  it('is refused by the same bounds on edit and claim', async () => {
    const { key } = await account()
    const edited = await post('{"id":"abcd","x":[', '{},', 6 * MiB, { method: 'PATCH', Authorization: key })
    expect(edited).toMatchObject(tooLarge)
    expect(edited.read).toBeLessThan(512 * 1024)
    const claimed = await post('', '[', 6 * MiB, { path: '/v1/document/abcd/claim' })
    expect(claimed).toMatchObject(tooLarge)
    expect(claimed.read).toBeLessThan(512 * 1024)
  })

  it('is refused by its announced length before any of it is read', async () => {
    const { read, ...answer } = await post('{"content":"', 'x', 2 * MiB, {
      'Content-Length': String(61 * MiB),
    })
    expect(answer).toEqual(tooLarge)
    expect(read).toBeLessThan(MiB)
  })
})
