export function splitLastWord(typed: string): { readonly before: string; readonly word: string } {
  const word = /(?<![^\s,])[^\s,]*$/.exec(typed)?.[0] ?? ''
  return { before: typed.slice(0, typed.length - word.length), word }
}
