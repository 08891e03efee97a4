import { unifiedMergeView } from '@codemirror/merge'
import type { Extension } from '@codemirror/state'

function createButton(label: string, onClick: (event: MouseEvent) => void): HTMLElement {
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: label })
  button.addEventListener('click', onClick)
  return button
}

/** Returns an extension that marks how the text differs from the original, with buttons to keep or undo each change. */
export const showDifferences = (original: string): Extension =>
  unifiedMergeView({
    original,
    mergeControls: (type, action) =>
      type === 'accept' ? createButton('Keep mine', action) : createButton('Use theirs', action),
    diffConfig: { scanLimit: 500, timeout: 200 },
  })
