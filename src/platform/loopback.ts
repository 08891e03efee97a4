const LOOPBACK = /^https?:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/

/** Returns true if a site is served on this machine. */
export const isLocal = (siteUrl: string): boolean => LOOPBACK.test(siteUrl)

/** Returns true if a site is served on this machine without TLS, where browsers keep no secure cookies. */
export const isLoopback = (siteUrl: string): boolean => isLocal(siteUrl) && siteUrl.startsWith('http:')
