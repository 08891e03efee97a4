import { describe, expect, it } from 'vitest'
import { ORIGIN, send } from '../../support/client.ts'

const MiB = 1024 * 1024
const BROWSER = { 'User-Agent': 'Mozilla/5.0', Origin: ORIGIN }
const PROGRAM = { 'User-Agent': 'curl/8.14.1' }
const ENCODED = { 'Content-Type': 'application/x-www-form-urlencoded' }
const MULTIPART = { 'Content-Type': 'multipart/form-data; boundary=xyz' }

const part = '--xyz\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'

const post = (path: string, headers: Record<string, string>, body: BodyInit) =>
  send(path, { method: 'POST', headers, body })

/** Returns a body of unknown length that never ends, and how much of it was read. */
function endless(text: string) {
  const chunk = new TextEncoder().encode(text.repeat(Math.ceil((64 * 1024) / text.length)))
  let read = 0
  const body = new ReadableStream({
    type: 'bytes',
    pull(controller) {
      read += chunk.length
      controller.enqueue(chunk.slice())
    },
  })
  return { body, read: () => read }
}

describe('a form with very many fields', () => {
  it.each(['/', '/abcd1234/edit'])('is refused before it is parsed: %s', async (path) => {
    for (const [headers, field] of [
      [ENCODED, 'a&'],
      [MULTIPART, part],
    ] as const) {
      const answer = await post(path, { ...BROWSER, ...headers }, field.repeat((2 * MiB) / field.length))
      expect(answer.status).toBe(400)
      expect(await answer.text()).toContain('The form couldn’t be read')
    }
  })

  it('is refused from a program', async () => {
    const answer = await post('/', { ...PROGRAM, ...MULTIPART }, part.repeat(10_000))
    expect([answer.status, await answer.text()]).toEqual([400, 'The form couldn’t be read\n'])
  })

  it('is text if a program calls it a form', async () => {
    const text = 'content=1&'.repeat(100_000)
    const answer = await post('/', { ...PROGRAM, ...ENCODED }, text)
    expect(answer.status).toBe(201)
    const id = (await answer.text()).trim().split('/').at(-1)
    expect((await (await send(`/r/${id}`)).text()) === text).toBe(true)
  })
})

describe('a form that never ends', () => {
  it.each([
    ['URL-encoded', ENCODED, 'content=a'],
    ['multipart', MULTIPART, part],
  ])('is refused once it is too large: %s', async (_, headers, text) => {
    const { body, read } = endless(text)
    expect((await post('/', { ...BROWSER, ...headers }, body)).status).toBe(413)
    expect(read()).toBeLessThan(22 * MiB)
  })
})
