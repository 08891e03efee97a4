import { announce, requireElement } from '../shared/elements.ts'
import { restoreServerFields } from './encryption-field.ts'
import { startNewDocument } from './new-document.ts'

/** The form works without scripts, too: the server has all of it. */
function keepPlainForm(): void {
  restoreServerFields()
  announce(
    requireElement('#form-status'),
    'Part of this page couldn’t be loaded. You can still write and save.',
  )
}

async function start(): Promise<void> {
  const form = document.querySelector<HTMLFormElement>('#new-document')
  if (form) return startNewDocument(form)
  const { startEditing } = await import('./edit-document.ts')
  startEditing()
}

start().catch(keepPlainForm)
