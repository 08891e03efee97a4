import { notJson, notUtf8 } from './unreadable-body.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

function decode(bytes: ArrayBuffer | Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw notUtf8()
  }
}

/** Parses JSON. Throws AppError `bad_request` for bytes that aren't UTF-8 and text that isn't JSON. */
export function parseJsonBytes(bytes: ArrayBuffer | Uint8Array): unknown {
  const text = decode(bytes)
  try {
    return JSON.parse(text)
  } catch {
    throw notJson()
  }
}
