/** Returns the theme that a cookie header chooses; `system` if it chooses none. */
export const parseThemeCookie = (cookies: string): string =>
  /(?:^|; )theme=(light|dark)(?:;|$)/.exec(cookies)?.[1] ?? 'system'
