import { announceInToolbar, openMenu } from '../toolbar.ts'
import type { LineLinks } from './line-links.ts'

/** Starts the field that goes to a line. Returns a function that opens it. */
export function startGoToLine({ goTo }: LineLinks, getLastLine: () => number): () => Promise<void> {
  const form = document.querySelector<HTMLFormElement>('.go-to-line')
  const field = form?.querySelector('input')
  form?.addEventListener('submit', (event) => {
    event.preventDefault()
    const found = goTo(field?.value ?? '')
    if (!found) {
      return announceInToolbar(`Enter a line number from 1 to ${getLastLine()}, or a range such as 10-20.`)
    }
    form.closest<HTMLElement>('[popover]')?.hidePopover()
    const { first, last } = found
    announceInToolbar(first === last ? `Line ${first}` : `Lines ${first} to ${last}`)
  })
  return async () => {
    await openMenu('more')
    field?.focus()
    field?.select()
  }
}
