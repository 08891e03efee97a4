import { expect } from 'vitest'
import type { Answer } from './client.ts'

/** What a client shows that shows one line. */
const describeFirstIssue = ({ body: { error } }: Answer<unknown>): string =>
  [error.errors?.[0]?.path.join('.'), error.errors?.[0]?.message].filter(Boolean).join(': ')

/** Expects an error response of the API, with issues at exactly these paths, or none. A hint repeats the first of them. */
export function expectError(
  answer: Answer<unknown>,
  status: number,
  message: string,
  paths?: readonly (string | number)[][],
): void {
  expect({ status: answer.status, body: answer.body }).toEqual({
    status,
    body: {
      success: false,
      error: {
        code: expect.any(String),
        message,
        ...(status === 415 && { hint: 'Send JSON, with the header Content-Type: application/json' }),
        ...(paths && {
          hint: describeFirstIssue(answer),
          errors: paths.map((path) => expect.objectContaining({ path })),
        }),
      },
    },
  })
  expect(answer.headers.get('Cache-Control')).toBe('no-store')
}

export const expectInvalid = (answer: Answer<unknown>, ...paths: (string | number)[][]) =>
  expectError(answer, 400, 'Invalid request body', paths)
