/** HTML comments, and tags of elements whose end tag isn't optional and that may contain blocks. */
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g
const TAG = /<(\/?)(details|div|table|ul|ol|dl|blockquote|center|figure|section|a|sub|sup|pre)\b[^<>]*>/gi

/**
 * Returns the elements that are open after some HTML of the author: with `<details>` in one block and `</details>` in
 * another, all blocks between them must stay together. This need not be exact, because the parts are sanitized.
 *
 * @param before the elements that are open before it, from the outside in.
 */
export function getOpenElements(before: readonly string[], html: string): readonly string[] {
  const open = [...before]
  for (const [, slash, tag = ''] of html.replaceAll(COMMENT, '').matchAll(TAG)) {
    const name = tag.toLowerCase()
    if (slash === '') open.push(name)
    else if (open.includes(name)) open.length = open.lastIndexOf(name)
  }
  return open
}
