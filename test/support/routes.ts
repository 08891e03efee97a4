/** Removes the patterns of the parameters in a route. */
export const simplify = (route: string): string => route.replaceAll(/\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g, '')

/** Returns the path of a route about a document and its creator. */
export const toPath = (pattern: string, { id, username }: { id: string; username: string }): string =>
  simplify(pattern)
    .replace(':number', '1')
    .replace(':name', 'notes.txt')
    .replace(':feed', `@${username}.atom`)
    .replace(/:(?:handle|profile)/, `@${username}`)
    .replace(':username', username)
    .replace(':file', 'x.svg')
    .replaceAll(/:\w+/g, id)
