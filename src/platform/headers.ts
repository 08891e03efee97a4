/** Node gives a header's value with a character for each byte, as the Fetch standard says. Workers decode UTF-8. */
const hasBytes = navigator.userAgent !== 'Cloudflare-Workers'

/** Returns the text of a header whose bytes are UTF-8. */
export const decodeHeader = (value: string): string =>
  hasBytes ? new TextDecoder().decode(Uint8Array.from(value, (byte) => byte.charCodeAt(0))) : value
