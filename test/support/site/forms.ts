import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { type Account, account, session } from '../accounts.ts'
import { create, ORIGIN, read, send } from '../client.ts'

/** Returns the fields that a browser would send for the last form with this action if nothing were changed. */
export async function parseForm(html: string, action: string): Promise<Record<string, string>> {
  let fields: Record<string, string> = {}
  const textareas = new Set<string>()
  let inside = false
  let templates = 0
  let open = ''
  let select = ''
  const attribute = (element: Element, name: string) => unescapeHtml(element.getAttribute(name) ?? '')
  await new HTMLRewriter()
    .on('template', {
      element(template) {
        templates += 1
        template.onEndTag(() => {
          templates -= 1
        })
      },
    })
    .on('form', {
      element(form) {
        // A form in a template doesn't exist until a script adds it to the page.
        if (templates > 0 || form.getAttribute('action') !== action) return
        // The form that edits a document has an id, and the one below it asks for the password.
        if ('version' in fields && !form.hasAttribute('id')) return
        inside = true
        fields = {}
        textareas.clear()
        form.onEndTag(() => {
          inside = false
        })
      },
    })
    .on('input', {
      element(input) {
        const name = input.getAttribute('name')
        if (!inside || !name) return
        const isChoice = /^(?:checkbox|radio)$/.test(input.getAttribute('type') ?? '')
        if (isChoice && !input.hasAttribute('checked')) return
        fields[name] = attribute(input, 'value')
      },
    })
    .on('select', {
      element(element) {
        select = inside ? (element.getAttribute('name') ?? '') : ''
      },
    })
    .on('option', {
      element(option) {
        if (select === '' || !inside) return
        if (option.hasAttribute('selected') || !(select in fields))
          fields[select] = attribute(option, 'value')
      },
    })
    .on('datalist', {
      element() {
        select = ''
      },
    })
    .on('textarea', {
      element(textarea) {
        open = inside ? (textarea.getAttribute('name') ?? '') : ''
        if (open) {
          fields[open] = ''
          textareas.add(open)
        }
        textarea.onEndTag(() => {
          open = ''
        })
      },
      text({ text }) {
        if (open) fields[open] += text
      },
    })
    .transform(new Response(html))
    .text()
  // The HTML parser drops a line break at the start, turns every line break into LF, and replaces NUL.
  for (const name of textareas) {
    fields[name] = unescapeHtml(fields[name] ?? '')
      .replaceAll(/\r\n?/g, '\n')
      .replace(/^\n/, '')
      .replaceAll('\0', '\uFFFD')
  }
  return fields
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

const unescapeHtml = (html: string): string =>
  html.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '')

/** The answer to a request for a page, or to a form. */
export interface PageAnswer {
  readonly status: number
  readonly headers: Headers
  readonly location: string | null
  readonly html: string
}

const pageAnswer = async (response: Response): Promise<PageAnswer> => ({
  status: response.status,
  headers: response.headers,
  location: response.headers.get('Location'),
  html: await response.text(),
})

interface Options {
  readonly headers?: Record<string, string>
  readonly bindings?: Env
}

/** Requests a page with any method. */
export const requestPage = async (
  path: string,
  init: RequestInit = {},
  bindings: Env = env,
): Promise<PageAnswer> => {
  const headers = new Headers(init.headers)
  if (!headers.has('Accept')) headers.set('Accept', 'text/html')
  return pageAnswer(await send(path, { ...init, headers }, { bindings }))
}

/** Returns a POST of a form in the default encoding, without an origin, as an old browser sends it. */
export const postForm = (fields: Record<string, string>): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams(fields),
  headers: { Accept: 'text/html' },
})

/** Opens a page, without cookies unless they are in `headers`. */
export const visit = async (path: string, { headers = {}, ...options }: Options = {}): Promise<PageAnswer> =>
  pageAnswer(await send(path, { headers }, options))

/** Sends a form as a browser does: with every line break in its content as CR LF. */
export async function sendForm(
  path: string,
  fields: Record<string, string>,
  { headers = {}, ...options }: Options = {},
): Promise<PageAnswer> {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    body.set(name, name === 'content' ? value.replaceAll(/\r\n?|\n/g, '\r\n') : value)
  }
  return pageAnswer(
    await send(path, { method: 'POST', body, headers: { Origin: ORIGIN, ...headers } }, options),
  )
}

export interface Scene {
  readonly creator: Account
  readonly headers: Record<string, string>
  readonly id: string
  /** The path of the page that edits the document. */
  readonly path: string
}

/** Creates a document and signs its creator in. */
export async function createScene(content: string, settings: Record<string, unknown> = {}): Promise<Scene> {
  const creator = await account()
  const { id } = await create(content, settings, { key: creator.key })
  return { creator, headers: await session(creator), id, path: `/${id}/edit` }
}

/** Returns the fields of the form as they are when the page is opened. */
export const openForm = async ({ path, headers }: Pick<Scene, 'path' | 'headers'>) =>
  parseForm((await visit(path, { headers })).html, path)

export const readContent = async (id: string, key?: string): Promise<string> =>
  (await read(id, { key })).body.data.content

export const findVersion = async (id: string): Promise<string> =>
  (await env.DB.prepare('SELECT version FROM documents WHERE id = ?1').bind(id).first<string>('version')) ??
  ''

/** Expects the form again, with the user's input and a problem. */
export async function expectFormAgain(
  answer: PageAnswer,
  path: string,
  status: number,
  typed: Record<string, string>,
) {
  expect(answer.status).toBe(status)
  expect(answer.html).toContain('role="alert"')
  expect(answer.headers.get('Cache-Control')).toBe('no-store')
  expect(await parseForm(answer.html, path)).toMatchObject(typed)
}
