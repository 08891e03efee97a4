import { requireElement } from '../../shared/elements.ts'
import { yieldToPage } from '../../shared/yield.ts'
import { announceInToolbar, loadExtraStyles } from '../toolbar.ts'
import type { FindBar, FindTarget } from './find-bar.ts'

interface FindTool {
  readonly findBar: () => FindBar | null
  readonly open: () => void
}

/** The code of the bar is loaded when it is opened. */
export function startFind(target: Omit<FindTarget, 'announce' | 'yieldToPage'>): FindTool {
  const toolbar = requireElement('.tools')
  const form = requireElement<HTMLFormElement>('.find', toolbar)
  const button = requireElement('[data-tool="find"]', toolbar)
  const field = requireElement<HTMLInputElement>('input', form)
  let findBar: FindBar | null = null
  let loading = false
  const setOpen = (open: boolean) => {
    form.hidden = !open
    toolbar.classList.toggle('finding', open)
    button.ariaExpanded = String(open)
  }
  const load = async () => {
    if (findBar || loading) return
    loading = true
    void loadExtraStyles()
    try {
      const { startFindBar } = await import('./find-bar.ts')
      findBar = startFindBar(form, {
        ...target,
        announce: (message) => announceInToolbar(message, { stays: true }),
        yieldToPage,
      })
    } catch {
      announceInToolbar('Find couldn’t be loaded. Check your connection and try again.')
    }
    loading = false
  }
  // This isn't in the find bar's code, because readers may close the bar before its code has loaded.
  const close = () => {
    field.value = ''
    findBar?.clear()
    setOpen(false)
    button.focus()
  }
  form.addEventListener('keydown', ({ key }) => key === 'Escape' && close())
  form.querySelector('button:last-of-type')?.addEventListener('click', close)
  form.addEventListener('submit', (event) => event.preventDefault())
  setOpen(false)
  const open = () => {
    setOpen(true)
    field.focus()
    field.select()
    void load()
  }
  return { findBar: () => findBar, open }
}
