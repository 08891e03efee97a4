/**
 * Adds the styles that the page needs only once its text is highlighted or a tool is used, unless it has them. Returns
 * once they are loaded, or can't be.
 */
export function loadExtraStyles(): Promise<void> {
  const href = document.querySelector<HTMLElement>('.tools')?.dataset.styles
  const known = document.querySelector<HTMLLinkElement>(`link[rel="stylesheet"][href="${href}"]`)
  if (!href || known?.sheet) return Promise.resolve()
  const link = known ?? Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
  return new Promise((resolve) => {
    for (const type of ['load', 'error']) link.addEventListener(type, () => resolve(), { once: true })
    if (!known) document.head.append(link)
  })
}
