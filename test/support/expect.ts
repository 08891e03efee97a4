import { expect } from 'vitest'
import type { Answer } from './client.ts'

/** Expects an error response of the API, with issues at exactly these paths, or none. */
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
        ...(paths && { errors: paths.map((path) => expect.objectContaining({ path })) }),
      },
    },
  })
  expect(answer.headers.get('Cache-Control')).toBe('no-store')
}

export const expectInvalid = (answer: Answer<unknown>, ...paths: (string | number)[][]) =>
  expectError(answer, 400, 'Invalid request body', paths)
