import type { ShownText } from './text-view.ts'

/** Places that are kept: more nobody goes through. */
const MOST_FOUND = 10_000
/** UTF-16 units that are searched in one go. */
const WINDOW = 256 * 1024
/** For how long a text is searched without a rest, in milliseconds. */
const WORK_MS = 30
/** Places in sight that are marked: many more take a browser long. */
const MOST_MARKED = 2_000

/** Where something was found: offsets in UTF-16 units from the start of the text. */
interface Place {
  readonly from: number
  readonly to: number
}

/** What the page does for whoever looks for something. */
export interface Search {
  /** The text that is shown now. */
  readonly text: () => ShownText
  /** The first and the last offset of what is in sight of it. */
  readonly sight: () => Place
  /** Brings a place of the text into sight. */
  readonly bring: (place: Place) => void
  readonly say: (words: string) => void
}

export interface Finder {
  /** Looks anew in another text that is shown. */
  readonly lookAgain: () => void
  /** Marks what is in sight now. */
  readonly mark: () => void
}

/**
 * All places where words stand in a text, whatever their case, with rests so that the page answers meanwhile.
 *
 * @returns null once `wanted` says that nobody waits for them any more.
 */
async function findAll(text: string, words: string, wanted: () => boolean): Promise<Place[] | null> {
  const pattern = new RegExp(words.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'giu')
  const found: Place[] = []
  let started = performance.now()
  for (let from = 0; from < text.length && found.length < MOST_FOUND; ) {
    let next = Math.min(text.length, from + WINDOW)
    // What begins in this window may end in the next.
    for (const match of text.slice(from, next + words.length - 1).matchAll(pattern)) {
      const place = { from: from + match.index, to: from + match.index + match[0].length }
      if (place.from >= next || found.length === MOST_FOUND) break
      found.push(place)
      next = Math.max(next, place.to)
    }
    from = next
    if (performance.now() - started < WORK_MS) continue
    await new Promise((resolve) => setTimeout(resolve))
    if (!wanted()) return null
    started = performance.now()
  }
  return found
}

const MARKS = { all: 'found', one: 'found-here' } as const

/** Shows ranges in another look, above the colours of code, where the browser knows how. */
function show(name: string, ranges: readonly StaticRange[], priority: number): void {
  if (typeof CSS !== 'object' || !('highlights' in CSS)) return
  if (ranges.length === 0) return void CSS.highlights.delete(name)
  const highlight = new Highlight(...ranges)
  highlight.priority = priority
  CSS.highlights.set(name, highlight)
}

/** Finds what is typed into the field of a form: the next place by Enter, the one before by Shift and Enter. */
export function startFinder(form: HTMLFormElement, { text, sight, bring, say }: Search): Finder {
  const field = form.querySelector('input')
  const buttons = [...form.querySelectorAll('button')]
  let places: readonly Place[] = []
  let at = 0
  let looked = ''
  let turn = 0
  let searched: { readonly shown: ShownText; readonly text: string } | null = null

  const mark = () => {
    const inSight = places.length > 0 ? sight() : { from: 0, to: 0 }
    const near = places.filter(({ from, to }) => to > inSight.from && from < inSight.to)
    const range = ({ from, to }: Place) => text().staticRange(from, to)
    show(MARKS.all, near.slice(0, MOST_MARKED).map(range), 1)
    show(MARKS.one, places.slice(at, at + 1).map(range), 2)
  }
  const goTo = (index: number) => {
    at = (index + places.length) % places.length
    const place = places[at]
    if (place) bring(place)
    mark()
    const all = places.length === MOST_FOUND ? `the first ${MOST_FOUND.toLocaleString('en')}` : places.length
    say(`${at + 1} of ${all}.`)
  }
  const look = async () => {
    const mine = ++turn
    looked = field?.value ?? ''
    const shown = text()
    if (searched?.shown !== shown) searched = { shown, text: shown.slice(0, shown.length) }
    const found = looked === '' ? [] : await findAll(searched.text, looked, () => turn === mine)
    if (!found || turn !== mine) return
    places = found
    for (const button of buttons) button.hidden = found.length === 0
    const first = found.findIndex(({ from }) => from >= sight().from)
    if (found.length > 0) return goTo(Math.max(0, first))
    mark()
    say(looked === '' ? '' : 'It is not in the text.')
  }
  const step = (by: number) => {
    if (field?.value !== looked) void look()
    else if (places.length > 0) goTo(at + by)
  }

  field?.addEventListener('input', () => void look())
  field?.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && !event.isComposing) {
      event.preventDefault()
      step(event.shiftKey ? -1 : 1)
    } else if (event.key === 'Escape') {
      field.value = ''
      void look()
    }
  })
  for (const [index, button] of buttons.entries()) {
    button.addEventListener('click', () => step(index === 0 ? -1 : 1))
  }
  form.addEventListener('submit', (event) => event.preventDefault())
  if (field?.value) void look()
  return { lookAgain: () => void (looked !== '' && look()), mark }
}
