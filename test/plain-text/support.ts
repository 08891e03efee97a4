import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { ORIGIN, read, send } from '../support/client.ts'

/** What curl sends with every request. */
export const CURL = { 'User-Agent': 'curl/8.5.0', Accept: '*/*' }
export const FORM = 'application/x-www-form-urlencoded'

export interface TextAnswer {
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

interface ProgramRequest {
  readonly method?: string
  readonly body?: string | Uint8Array | FormData | ReadableStream
  readonly headers?: Record<string, string>
  readonly bindings?: Env
}

/** Sends a request as curl does. */
export async function curl(
  path: string,
  { headers, bindings, ...init }: ProgramRequest = {},
): Promise<TextAnswer> {
  const method = init.method ?? (init.body === undefined ? 'GET' : 'POST')
  const request = { ...init, method, headers: { ...CURL, ...headers } }
  const response = await send(path, request, { bindings: bindings ?? env })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

/** Returns the id in the answer to a create. */
export function getId({ status, text }: TextAnswer): string {
  expect({ status, text }).toEqual({
    status: 201,
    text: expect.stringMatching(/^https:\/\/paste\.example\/\w{8}\n$/),
  })
  return text.slice(ORIGIN.length + 1, -1)
}

/** Returns the document in the answer to a create, as the API shows it. */
export const created = async (answer: TextAnswer) => (await read(getId(answer))).body.data

/** Returns a multipart form as curl writes it. */
export function multipart(parts: readonly (readonly [disposition: string, body: string | Uint8Array])[]) {
  const encoder = new TextEncoder()
  const bytes = parts.flatMap(([disposition, body]) => [
    ...encoder.encode(`--line\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
    ...(typeof body === 'string' ? encoder.encode(body) : body),
    ...encoder.encode('\r\n'),
  ])
  return {
    body: new Uint8Array([...bytes, ...encoder.encode('--line--\r\n')]),
    headers: { 'Content-Type': 'multipart/form-data; boundary=line' },
  }
}

export async function countDocuments(): Promise<number> {
  return (await env.DB.prepare('SELECT count(*) AS count FROM documents').first<number>('count')) ?? 0
}
