// Keys of the moderation desk. Each one presses the button or follows the link that names it. They work only while the
// focus is on the desk, so that nobody presses them by mistake (WCAG 2.1.4).

const desk = document.querySelector<HTMLElement>('.desk')

desk?.addEventListener('keydown', (event) => {
  const { target, key, ctrlKey, metaKey, altKey, isComposing } = event
  if (ctrlKey || metaKey || altKey || isComposing || !(target instanceof Element)) return
  if (target.closest('dialog, [popover], input, select, textarea')) return
  const named = desk.querySelector<HTMLElement>(`[data-key="${CSS.escape(key.toLowerCase())}"]`)
  if (!named) return
  event.preventDefault()
  named.click()
})

desk?.querySelector('.queue [aria-current]')?.scrollIntoView({ block: 'nearest' })
// Without scrolling: the header says what was done.
desk?.querySelector<HTMLElement>('.case')?.focus({ preventScroll: true })
