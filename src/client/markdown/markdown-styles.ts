/**
 * Adds the styles of rendered Markdown to the page, once.
 *
 * @throws Error if they can't be loaded.
 */
export async function loadMarkdownStyles(address: string): Promise<void> {
  if (document.querySelector(`link[href="${CSS.escape(address)}"]`)) return
  const link = document.createElement('link')
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  link.rel = 'stylesheet'
  link.href = address
  link.onload = () => resolve()
  link.onerror = () => reject(new Error('The styles of rendered Markdown couldn’t be loaded.'))
  document.head.append(link)
  await promise
}
