/** Removes block comments, in one pass even if none of them ends. */
function withoutBlockComments(text: string): string {
  let result = ''
  let at = 0
  for (;;) {
    const start = text.indexOf('/*', at)
    const end = start === -1 ? -1 : text.indexOf('*/', start + 2)
    if (end === -1) return result + text.slice(at)
    result += text.slice(at, start)
    at = end + 2
  }
}

const FENCE = /^ {0,3}(`{3}|~{3})/

/** Removes what says nothing about the language: words in comments, and code in the fences of Markdown. */
export function withoutComments(text: string): string {
  let fenced = false
  const lines = withoutBlockComments(text).split('\n')
  const kept = lines.filter((line, index) => {
    if (FENCE.test(line)) {
      fenced = !fenced
      return true
    }
    if (fenced || /^\s*\/\/ /.test(line)) return false
    // One line with `# ` may be a heading of Markdown; several in a row are a comment.
    const neighbours = [lines[index - 1] ?? '', lines[index + 1] ?? '']
    return !(/^\s*# /.test(line) && neighbours.some((neighbour) => /^\s*#( |$)/.test(neighbour)))
  })
  return kept.join('\n')
}
