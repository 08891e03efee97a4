import { createButton, createElement } from '../shared/elements.ts'

const STYLES = `
.change-notice {
  position: fixed;
  right: max(1rem, env(safe-area-inset-right));
  bottom: max(1rem, env(safe-area-inset-bottom));
  left: max(1rem, env(safe-area-inset-left));
  z-index: 19;
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: var(--space-2) var(--space-3);
  width: fit-content;
  max-width: min(34rem, 100vw - 2rem);
  margin-inline: auto;
  padding: var(--space-2) var(--space-2) var(--space-2) var(--space-4);
  background: var(--raised);
  border: 1px solid var(--line);
  border-radius: var(--radius-large);
  box-shadow: var(--shadow-large);
  font-size: var(--small);
}
.change-notice:empty { display: none; }
.change-notice p { flex: 1 1 15rem; margin: var(--space-1) 0; overflow-wrap: anywhere; }
.change-notice div { display: flex; gap: var(--space-1); margin-left: auto; }
.change-notice button { margin: 0; min-height: var(--control-small); padding: 0 var(--space-3); }
.change-notice .dismiss { background: none; color: var(--muted); }
.change-notice .dismiss:hover { background: var(--hover); color: var(--ink); }
@media print { .change-notice { display: none; } }
`

interface ChangeNotice {
  /** Replaces the message before. Screen readers announce it. */
  readonly show: (message: string, action?: { label: string; run: () => void }) => void
  readonly hide: () => void
}

/** It never takes the focus, and moves nothing on the page. */
export function createNotice(): ChangeNotice {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLES)
  document.adoptedStyleSheets.push(sheet)
  const notice = createElement('aside', { className: 'change-notice', ariaLabel: 'Changes' })
  const message = createElement('p')
  // Screen readers only announce changes of a live region that is there before.
  const region = createElement('div', { className: 'name-only', ariaLive: 'polite' })
  document.body.append(region, notice)
  const hide = () => {
    notice.replaceChildren()
    region.textContent = ''
  }
  return {
    show: (text, action) => {
      region.textContent = text
      message.textContent = text
      const dismiss = createButton('Dismiss', hide)
      dismiss.className = 'dismiss'
      const buttons = action ? [createButton(action.label, action.run), dismiss] : [dismiss]
      notice.replaceChildren(message, createElement('div', {}, ...buttons))
    },
    hide,
  }
}
