/** What a template of the page holds, ready to be put somewhere. */
export function cloneTemplate(template: string): HTMLElement {
  const element = document.querySelector<HTMLTemplateElement>(`template#${template}`)
  const first = element?.content.firstElementChild
  if (!(first instanceof HTMLElement)) throw new Error(`the page has no template ${template}`)
  return first.cloneNode(true) as HTMLElement
}

/** The element that a selector names, which the page is known to have. */
export function requireElement<Kind extends Element = HTMLElement>(
  selector: string,
  within: ParentNode = document,
): Kind {
  const element = within.querySelector<Kind>(selector)
  if (!element) throw new Error(`the page has no ${selector}`)
  return element
}
