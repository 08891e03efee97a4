import { unifiedMergeView } from '@codemirror/merge'
import type { Extension } from '@codemirror/state'

function button(words: string, action: (event: MouseEvent) => void): HTMLElement {
  const element = Object.assign(document.createElement('button'), { type: 'button', textContent: words })
  element.addEventListener('click', action)
  return element
}

/** Shows within the text what it changes in another, and lets each change be kept or taken back. */
export const showDifferences = (original: string): Extension =>
  unifiedMergeView({
    original,
    mergeControls: (type, action) =>
      type === 'accept' ? button('Keep mine', action) : button('Take theirs', action),
    diffConfig: { scanLimit: 500, timeout: 200 },
  })
