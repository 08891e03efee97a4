import { announce, createButton, createElement } from './elements.ts'

/** For a button of a message that isn't what the message is about. */
export function createPlainButton(label: string, onClick: () => void): HTMLButtonElement {
  const button = createButton(label, onClick)
  button.className = 'toast-plain'
  return button
}

export function createCloseButton(onClick: () => void): HTMLButtonElement {
  const button = createPlainButton('×', onClick)
  button.classList.add('toast-close')
  button.ariaLabel = 'Close'
  return button
}

interface Notice {
  /** Replaces the message before. Screen readers announce it. */
  readonly show: (message: string, action?: { label: string; run: () => void }) => void
  readonly hide: () => void
}

/** News about the page, which never takes the focus. */
export function createNotice(): Notice {
  const notice = createElement('aside', { className: 'toast', ariaLabel: 'Changes' })
  // Screen readers only announce changes of a live region that is there before.
  const region = createElement('div', { className: 'visually-hidden', ariaLive: 'polite' })
  document.body.append(region, notice)
  const hide = () => {
    notice.replaceChildren()
    announce(region, '')
  }
  return {
    show: (message, action) => {
      announce(region, message)
      const row = createElement('div', { className: 'row' }, createElement('p', {}, message))
      if (action) row.append(createButton(action.label, action.run))
      const dismiss = createPlainButton('Dismiss', hide)
      row.append(dismiss)
      notice.replaceChildren(row)
    },
    hide,
  }
}
