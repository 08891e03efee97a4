import { createButton, createElement, requireElement } from '../shared/elements.ts'
import { closeMenusElsewhere } from './bar-menus.ts'
import { announceInForm } from './save-form.ts'

/** The styles change at the same width. */
const PHONE = '(max-width: 48rem)'

/** How many files a menu must have for a search field. Fewer are found at a glance. */
const MIN_SEARCHED = 9

export interface ListedFile {
  name: string
}

interface Actions<OpenFile> {
  readonly show: (file: OpenFile) => void
  readonly rename: (file: OpenFile) => void
  readonly remove: (file: OpenFile) => void
  /** Moves a file to another place in the list. */
  readonly move: (file: OpenFile, to: number) => void
  readonly add: () => void
  readonly paste: (text: string) => void
}

interface Places {
  readonly form: HTMLFormElement
  readonly row: HTMLElement
  readonly titleInput: HTMLInputElement
}

/** Lists all files: beside many tabs, and on phones in the place of tabs and title, which is in it then. */
export function createFileMenu<OpenFile extends ListedFile>(
  { form, row, titleInput }: Places,
  actions: Actions<OpenFile>,
) {
  const label = createElement('span', { className: 'file-menu-label' })
  const place = createElement('span', { className: 'file-menu-place' })
  const summary = createElement('summary', { className: 'tool' }, label, ' ▾ ', place)
  const search = createElement('input', {
    type: 'search',
    ariaLabel: 'Find a file',
    placeholder: 'Find a file',
  })
  const list = createElement('ul', { className: 'plain-list file-list' })
  const panel = createElement('div', { className: 'bar-panel file-panel' })
  const menu = createElement('details', { className: 'bar-menu file-menu' }, summary, panel)
  menu.name = 'bar-menu'
  const act = (run: () => void) => () => {
    menu.open = false
    run()
  }
  const paste = async () => {
    const text = await navigator.clipboard.readText().catch(() => null)
    if (text) return actions.paste(text)
    announceInForm(text === '' ? 'Your clipboard is empty.' : 'Your browser didn’t allow it.')
  }
  const canPaste = typeof navigator.clipboard?.readText === 'function'
  panel.append(
    search,
    list,
    createElement(
      'div',
      { className: 'row file-menu-actions' },
      createButton('Add file', act(actions.add), 'quiet'),
      ...(canPaste
        ? [
            createButton(
              'Paste as file',
              act(() => void paste()),
              'quiet',
            ),
          ]
        : []),
    ),
  )
  const filter = () => {
    const typed = search.value.trim().toLowerCase()
    for (const item of list.children)
      (item as HTMLElement).hidden = !item.textContent.toLowerCase().includes(typed)
  }
  search.addEventListener('input', (event) => {
    event.stopPropagation()
    filter()
  })
  search.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    list.querySelector<HTMLElement>('li:not([hidden]) > .file-list-name')?.click()
  })
  menu.addEventListener('toggle', () => {
    if (!menu.open) return
    search.value = ''
    filter()
    if (!search.hidden && !phone.matches) search.focus()
  })
  closeMenusElsewhere([menu])

  const phone = matchMedia(PHONE)
  let count = 0
  const arrange = () => {
    const bar = requireElement('.bar', form)
    if (phone.matches && count > 1) {
      panel.prepend(titleInput)
      bar.prepend(menu)
      return
    }
    if (titleInput.parentElement !== bar) bar.prepend(titleInput)
    if (count >= MIN_SEARCHED) row.append(menu)
    else menu.remove()
  }
  phone.addEventListener('change', arrange)

  const createHandle = (file: OpenFile) => {
    const getItem = () => [...list.children].find((item) => item.contains(handle))
    const getPlace = () => [...list.children].findIndex((item) => item.contains(handle))
    const move = (to: number) => {
      if (to < 0 || to >= count) return
      actions.move(file, to)
      list.children[to]?.querySelector<HTMLElement>('.file-handle')?.focus()
      announceInForm(`“${file.name}” is file ${to + 1} of ${count} now.`)
    }
    const handle = createButton('↕', () => move(getPlace() - 1), 'tool file-handle')
    handle.ariaLabel = `Move ${file.name} up`
    handle.title = 'Move up, or drag'
    handle.addEventListener('keydown', (event) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
      if (step === undefined) return
      event.preventDefault()
      move(getPlace() + step)
    })
    let from = -1
    handle.addEventListener('pointerdown', ({ pointerId }) => {
      handle.setPointerCapture(pointerId)
      from = getPlace()
    })
    handle.addEventListener('pointermove', ({ clientY }) => {
      const item = getItem()
      const over = [...list.children].find((other) => {
        const { top, bottom } = other.getBoundingClientRect()
        return top <= clientY && clientY < bottom
      })
      if (from === -1 || !item || !over || over === item) return
      // The others move: a row that is taken out loses the pointer.
      const isBelow = () => (item.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
      if (isBelow()) while (isBelow()) item.before(item.nextElementSibling ?? over)
      else while (!isBelow()) item.after(item.previousElementSibling ?? over)
    })
    const drop = () => {
      const to = getPlace()
      const isMoved = from !== -1 && to !== from
      from = -1
      if (isMoved) move(to)
    }
    handle.addEventListener('pointerup', drop)
    handle.addEventListener('pointercancel', drop)
    return handle
  }

  return {
    update: (files: readonly OpenFile[], active: OpenFile | null) => {
      const rows = files.map((file) => {
        const tool = (text: string, name: string, run: (file: OpenFile) => void) => {
          const button = createButton(
            text,
            act(() => run(file)),
            'tool',
          )
          button.ariaLabel = `${name} ${file.name}`
          return button
        }
        const name = createButton(
          file.name,
          act(() => actions.show(file)),
          'file-list-name',
        )
        if (file === active) name.ariaCurrent = 'true'
        return createElement(
          'li',
          {},
          createHandle(file),
          name,
          tool('✎', 'Rename', actions.rename),
          tool('×', 'Remove', actions.remove),
        )
      })
      list.replaceChildren(...rows)
      search.hidden = files.length < MIN_SEARCHED
      count = files.length
      arrange()
      label.textContent = phone.matches ? (active?.name ?? '') : `${count} files`
      place.textContent = phone.matches && active ? `${files.indexOf(active) + 1}/${count}` : ''
    },
  }
}
