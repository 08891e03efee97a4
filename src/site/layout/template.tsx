import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import type { JSX } from 'hono/jsx/jsx-runtime'
import type { HtmlEscapedString } from 'hono/utils/html'
import { BoundedMap } from '../../shared/bounded-map.ts'
import { escapeHtml, escapeVerbatim } from '../../shared/escape.ts'
import { SCRIPTS } from '../assets.generated.ts'
import { useFrame } from './page.tsx'

export const Verbatim = ({ text }: { text: string }) => raw(escapeVerbatim(text))

type Value = string | HtmlEscapedString

/** Marks a gap with characters that nothing else in a page may use (Unicode, Private Use Area). */
const GAP = /\uE000(\w+)\uE001/

/** More than there are combinations of what a page depends on. A bound for the memory, in case a key is wrong. */
const MAX_VARIANTS = 200

type Parts = readonly string[]

/** Rendered once for each variant, with gaps for the rest: rendering takes most of the time of a page. */
export class Template<Name extends string> {
  readonly #names: readonly Name[]
  readonly #variants = new BoundedMap<string, Parts>(MAX_VARIANTS)

  constructor(...names: Name[]) {
    this.#names = names
  }

  /** @param key everything that `render` depends on, and nothing that people or documents bring. */
  fill(
    key: string,
    values: Readonly<Record<Name, Value>>,
    render: (gaps: Readonly<Record<Name, string>>) => JSX.Element,
  ): HtmlEscapedString {
    let html = ''
    for (const [index, part] of this.#getParts(key, render).entries()) {
      if (index % 2 === 0) html += part
      else html += toHtml(values[part as Name])
    }
    return raw(html)
  }

  #getParts(key: string, render: (gaps: Readonly<Record<Name, string>>) => JSX.Element): Parts {
    const known = this.#variants.get(key)
    if (known) return known
    const gaps = Object.fromEntries(this.#names.map((name) => [name, `\uE000${name}\uE001`]))
    const parts = String(render(gaps as Record<Name, string>)).split(GAP)
    this.#variants.set(key, parts)
    return parts
  }
}

const toHtml = (value: Value): string => (typeof value === 'string' ? escapeHtml(value) : String(value))

export const renderChildren = (children: Child): HtmlEscapedString =>
  // biome-ignore lint/complexity/noUselessFragments: the fragment turns children of any kind into one element.
  raw(String(<>{children}</>))

const InHead = ({ children }: { children: Child }) => {
  useFrame().inHead.push(renderChildren(children))
  return null
}

export const JweWorker = () => (
  <InHead>
    <meta name="jwe-worker" content={SCRIPTS.jweWorker} />
  </InHead>
)
