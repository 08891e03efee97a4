import { expect } from 'vitest'
import type { Answer } from './answer.ts'

const CODES: Readonly<Record<number, string>> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'bad_auth',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  412: 'precondition_failed',
  413: 'content_too_large',
  415: 'unsupported_media_type',
}

/** Expects an error with this status and message, the code of that status, and no other fields. */
export function expectError(answer: Answer, status: number, message: string): void {
  expect({ status: answer.status, body: answer.body }).toEqual({
    status,
    body: {
      success: false,
      error: {
        code: CODES[status],
        message,
        ...(answer.body.error?.hint !== undefined && { hint: expect.stringMatching(/./) }),
        ...(answer.body.error?.errors && { errors: expect.any(Array) }),
      },
    },
  })
  expect(answer.header('Content-Type')).toMatch(/^application\/json\b/)
  expect(answer.header('Cache-Control')).toBe('no-store')
}

/** Expects a 400 for a body that fails validation, with an issue at this path. */
export function expectInvalid(answer: Answer, path: readonly (string | number)[]): void {
  expectError(answer, 400, 'Invalid request body')
  expect(answer.body.error?.errors).toContainEqual(
    expect.objectContaining({ code: expect.any(String), path, message: expect.stringMatching(/./) }),
  )
}

/** Expects a document with this content. */
export function expectContent(answer: Answer, content: string): void {
  expect({ status: answer.status, body: answer.body }).toMatchObject({
    status: 200,
    body: { success: true, data: { content } },
  })
}

/** Expects that a deletion succeeded. With `LEGACY_CLIENTS`, the server answers 200 with a body. */
export function expectDeleted(answer: Answer): void {
  expect([200, 204]).toContain(answer.status)
}

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

/** An ISO 8601 time in UTC, with milliseconds. */
export const aTime = () => expect.stringMatching(TIME)

/** An account as everyone sees it. */
export const anAccount = (username: unknown = expect.any(String)) => ({
  documents_made: expect.any(Number),
  id: expect.stringMatching(/./),
  username,
  flags: expect.any(Number),
  icon: expect.stringMatching(/^https?:\/\//),
})

export const DAY_MS = 86_400_000

/** Returns the milliseconds between a document's creation and its expiration. */
export const lifetime = ({
  timestamps,
}: {
  readonly timestamps: { readonly creation: string; readonly expiration: string }
}): number => Date.parse(timestamps.expiration) - Date.parse(timestamps.creation)
