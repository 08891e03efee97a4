import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { contentTooLarge } from '../../errors.ts'

/** Refuses a request with more than this many bytes. Throws `content_too_large`. */
export const limitBody = (maxBytes: number): MiddlewareHandler =>
  bodyLimit({
    maxSize: maxBytes,
    onError: () => {
      throw contentTooLarge()
    },
  })
