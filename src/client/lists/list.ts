import { announce, copyToClipboard, isPlainClick, requireElement } from '../shared/elements.ts'
import { startShortcuts } from '../shared/shortcuts.ts'

const DEBOUNCE_MS = 200

const getRows = (list: HTMLElement): HTMLElement[] =>
  [...list.querySelectorAll<HTMLElement>('tbody tr')].filter((row) => !row.hidden)

const getLink = (row: HTMLElement): HTMLAnchorElement | null => row.querySelector('th a')

const getBox = (row: HTMLElement): HTMLInputElement | null => row.querySelector('input[name="id"]')

export const getSelected = (list: HTMLElement): HTMLElement[] =>
  getRows(list).filter((row) => getBox(row)?.checked)

/** Updates the list after rows have been selected, or hidden by a search. */
export function showSelection(list: HTMLElement): void {
  const [rows, selected] = [getRows(list).filter(getBox), getSelected(list)]
  for (const all of list.querySelectorAll<HTMLInputElement>('[data-part="select-all"]')) {
    all.checked = selected.length > 0 && selected.length === rows.length
    all.indeterminate = selected.length > 0 && selected.length < rows.length
  }
  const count = list.querySelector<HTMLElement>('[data-part="selected"]')
  if (count) announce(count, `${selected.length} selected`)
  const number = selected.length
  const question = list.querySelector('#selected-title')
  if (question) question.textContent = number === 1 ? 'Delete 1 document?' : `Delete ${number} documents?`
  const confirm = list.querySelector('#selected button.danger')
  if (confirm) confirm.textContent = number === 1 ? 'Delete' : `Delete ${number}`
}

export function select(list: HTMLElement, rows: readonly HTMLElement[], checked: boolean): void {
  for (const row of rows) {
    const box = getBox(row)
    if (box) box.checked = checked
  }
  showSelection(list)
}

/** Says something in the place of the total, or of the number of selected documents. */
export function say(list: HTMLElement, message: string): void {
  const place = getSelected(list).length > 0 ? '[data-part="selected"]' : '.list-total'
  announce(requireElement(place, list), message)
}

export const COPY_REFUSED = 'Couldn’t copy. Allow this site to use the clipboard, then try again.'

async function copyLinks(list: HTMLElement, rows: readonly HTMLElement[]): Promise<void> {
  const links = rows.flatMap((row) => getLink(row)?.href ?? [])
  const copied = await copyToClipboard(links.join('\n'))
  const what = links.length === 1 ? 'Link copied' : `${links.length} links copied`
  say(list, copied ? what : COPY_REFUSED)
}

function startSelection(list: HTMLElement): void {
  let last: HTMLElement | null = null
  list.addEventListener('click', (event) => {
    const { target, shiftKey } = event
    if (!(target instanceof HTMLInputElement && target.name === 'id')) return
    const row = target.closest('tr')
    const rows = getRows(list)
    const [from, to] = [last ? rows.indexOf(last) : -1, row ? rows.indexOf(row) : -1]
    if (shiftKey && from >= 0 && to >= 0)
      select(list, rows.slice(Math.min(from, to), Math.max(from, to) + 1), target.checked)
    last = row
  })
  list.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement && target.type === 'checkbox')) return
    if (target.dataset.part === 'select-all') select(list, getRows(list), target.checked)
    else showSelection(list)
  })
  // Somebody may have ticked it before this script was there. The browser also keeps what was selected when somebody comes back.
  if (list.querySelector('[data-part="select-all"]:checked')) select(list, getRows(list), true)
  else showSelection(list)
}

/** The dialog asks before it acts on what's selected: on this row alone. */
function openDialogFor(list: HTMLElement, row: HTMLElement): void {
  select(list, getRows(list), false)
  select(list, [row], true)
  list.querySelector<HTMLButtonElement>('.list-selection [commandfor="selected"]')?.click()
}

function startActions(list: HTMLElement): void {
  list.addEventListener('click', (event) => {
    const target = event.target instanceof Element ? event.target : null
    const action = target?.closest<HTMLElement>('[data-action]')?.dataset.action
    if (action === 'copy-links') void copyLinks(list, getSelected(list))
    if (action === 'clear') {
      select(list, getRows(list), false)
      getRows(list)[0]?.querySelector<HTMLElement>('th a')?.focus()
    }
    const row = target?.closest('tr')
    const item = target?.closest<HTMLElement>('.menu-item')
    if (!row || !item) return
    item.closest<HTMLElement>('[popover]')?.hidePopover()
    if (item.dataset.tool === 'copy-link') void copyLinks(list, [row])
    if (item instanceof HTMLAnchorElement && item.pathname.endsWith('/delete') && getBox(row)) {
      event.preventDefault()
      openDialogFor(list, row)
    }
  })
  if (CSS.supports('position-area', 'bottom')) return
  // Browsers without anchors don't know where a menu belongs.
  list.addEventListener(
    'beforetoggle',
    ({ target }) => {
      const button = target instanceof HTMLElement && target.previousElementSibling
      if (!button || !target.matches('.menu')) return
      const { bottom, right } = button.getBoundingClientRect()
      target.style.inset = `${bottom}px ${innerWidth - right}px auto auto`
    },
    { capture: true },
  )
}

function move(list: HTMLElement, by: 1 | -1): void {
  const rows = getRows(list)
  const current = rows.findIndex((row) => row.contains(document.activeElement))
  const next = rows[current < 0 ? 0 : current + by]
  if (next) getLink(next)?.focus()
}

function findAction(list: HTMLElement, key: string, target: HTMLElement): (() => void) | null {
  const field = list.querySelector<HTMLInputElement>('input[type="search"]')
  if (target === field) return key === 'ArrowDown' ? () => move(list, 1) : null
  const row = target.closest<HTMLElement>('tbody tr')
  if (!row || target.matches('[popover], [popover] *')) return null
  switch (key) {
    case 'ArrowDown':
      return () => move(list, 1)
    case 'ArrowUp':
      return () => (row === getRows(list)[0] && field ? field.focus() : move(list, -1))
    case ' ':
      return target === getLink(row) ? () => getBox(row)?.click() : null
    case 'Escape':
      return getSelected(list).length > 0 ? () => select(list, getRows(list), false) : null
    default:
      return null
  }
}

function startKeys(list: HTMLElement): void {
  list.addEventListener('keydown', (event) => {
    const { key, target, altKey, ctrlKey, metaKey, isComposing } = event
    if (altKey || ctrlKey || metaKey || isComposing || !(target instanceof HTMLElement)) return
    const action = findAction(list, key, target)
    if (!action) return
    event.preventDefault()
    action()
  })
  const field = list.querySelector<HTMLInputElement>('input[type="search"]')
  startShortcuts({
    j: () => move(list, 1),
    k: () => move(list, -1),
    ...(field && { '/': () => field.select() }),
  })
}

/** Loads a page of which this one shows a part. Trusted Types forbid `DOMParser`. */
function fetchPage(address: string, signal: AbortSignal): Promise<{ status: number; page: Document | null }> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('GET', address)
    request.responseType = 'document'
    request.addEventListener('loadend', () => resolve({ status: request.status, page: request.responseXML }))
    signal.addEventListener('abort', () => request.abort())
    request.send()
  })
}

/** The address that the search form leads to, as short as the page's own links. */
export function getAddress(form: HTMLFormElement): string {
  const sort = form.querySelector<HTMLSelectElement>('select[name="sort"]')
  const fields = [...new FormData(form)].filter(
    ([name, value]) => value !== '' && !(name === 'sort' && value === sort?.options[0]?.value),
  )
  const query = new URLSearchParams(fields.map(([name, value]) => [name, String(value)]))
  return query.size === 0 ? form.action : `${form.action}?${query}`
}

const FAILURES: Readonly<Record<number, string>> = {
  0: 'Can’t reach the server. Try again when you’re online.',
  429: 'Too many searches. Try again in a minute.',
}

interface Loader {
  readonly search: () => void
  readonly follow: (link: HTMLAnchorElement) => void
}

/** Shows what the server finds, in place of the rows. */
function createLoader(list: HTMLElement, form: HTMLFormElement): Loader {
  let latest = new AbortController()
  const load = async (address: string, show: (results: HTMLElement, page: Document) => void) => {
    latest.abort()
    latest = new AbortController()
    const { signal } = latest
    list.ariaBusy = 'true'
    const { status, page } = await fetchPage(address, signal)
    if (signal.aborted) return
    list.ariaBusy = 'false'
    const results = page?.querySelector<HTMLElement>('.list-results')
    const failure = FAILURES[status]
    if (failure !== undefined) return say(list, failure)
    // The session has ended, or something is wrong: the page itself says what.
    if (!page || !results) return location.assign(address)
    show(document.adoptNode(results), page)
    nameMore(list)
    showSelection(list)
  }
  const replace = (address: string, focused: string | null) =>
    load(address, (results, page) => {
      requireElement('.list-results', list).replaceWith(results)
      requireElement('.list-total', list).textContent = page.querySelector('.list-total')?.textContent ?? ''
      const order = page.querySelector<HTMLSelectElement>('.list-sort')
      const sort = list.querySelector<HTMLSelectElement>('.list-sort')
      if (order && sort) sort.value = order.value
      for (const input of list.querySelectorAll<HTMLInputElement>(
        '#selected input[type="hidden"]:not([name="account"])',
      ))
        input.value = new URL(address, location.href).searchParams.get(input.name) ?? ''
      history.replaceState(history.state, '', address)
      if (focused) results.querySelector<HTMLElement>(`th[data-column="${focused}"] a`)?.focus()
    })
  const append = (link: HTMLAnchorElement) =>
    load(link.href, (results) => {
      const rows = [...results.querySelectorAll<HTMLElement>('tbody tr')]
      const body = list.querySelector('tbody')
      // A search may have found nothing yet.
      if (!body) return requireElement('.list-results', list).replaceWith(results)
      body.append(...rows)
      const pages = requireElement('.list-pages', results)
      const shown = requireElement('[data-part="shown"]', pages)
      shown.textContent = String(getRows(list).length)
      pages.querySelector('a:not([data-part])')?.remove()
      requireElement('.list-pages', list).replaceWith(pages)
      const [first] = rows
      if (first) getLink(first)?.focus()
    })
  return {
    search: () => void replace(getAddress(form), null),
    follow: (link) =>
      void (link.dataset.part === 'more'
        ? append(link)
        : replace(link.href, link.closest('th')?.dataset.column ?? null)),
  }
}

/** The script puts the rows of the next page below the present ones. */
function nameMore(list: HTMLElement): void {
  const more = list.querySelector('[data-part="more"]')
  if (more?.textContent === 'Next page') more.textContent = 'Show more'
}

function startSearch(list: HTMLElement, { search, follow }: Loader): void {
  const form = requireElement<HTMLFormElement>('.list-form', list)
  let timer: ReturnType<typeof setTimeout> | undefined
  form.addEventListener('input', ({ target }) => {
    clearTimeout(timer)
    timer = setTimeout(search, target instanceof HTMLInputElement ? DEBOUNCE_MS : 0)
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    clearTimeout(timer)
    search()
  })
  list.addEventListener('click', (event) => {
    const { target } = event
    const link =
      target instanceof Element && target.closest<HTMLAnchorElement>('[data-sorts], [data-part="more"]')
    if (!link || !isPlainClick(event)) return
    event.preventDefault()
    follow(link)
  })
}

/** @param loader what searches and sorts; by default, the server. */
export function startList(list: HTMLElement, loader?: Loader): void {
  const form = list.querySelector<HTMLFormElement>('.list-form')
  if (!form) return
  nameMore(list)
  startSelection(list)
  startActions(list)
  startKeys(list)
  startSearch(list, loader ?? createLoader(list, form))
}
