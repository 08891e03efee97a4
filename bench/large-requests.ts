/** Sends one request to a service and returns the answer. */
export type Send = (url: string, key: string) => Promise<Response>

export interface LargeRequest {
  readonly name: string
  /** Creates what the request needs, and returns the request. */
  readonly prepare: (url: string, key: string) => Promise<Send>
}

const MiB = 1024 * 1024
/** The limit, `MAX_CONTENT_BYTES`. */
const MAX_BYTES = 10 * MiB

const LINE = 'A line of text, quite ordinary.\n'
const ascii = LINE.repeat(MAX_BYTES / LINE.length)
/** One character that doesn't fit into a byte doubles the memory of the whole text. */
const emoji = `${ascii.slice(0, -4)}😀`
const chinese = '漢'.repeat(Math.floor(MAX_BYTES / 3))
const emojiOnly = '😀'.repeat(MAX_BYTES / 4)
const control = '\x01'.repeat(MAX_BYTES)

const PROGRAM = { 'User-Agent': 'curl/8.14.1' }
const URLENCODED = { 'Content-Type': 'application/x-www-form-urlencoded' }

const post = (url: string, body: BodyInit, headers: Record<string, string>) =>
  fetch(url, { method: 'POST', redirect: 'manual', headers, body })

const sendJson =
  (body: string, method = 'POST'): Send =>
  (url, key) =>
    fetch(`${url}/v1/document`, {
      method,
      headers: { 'Content-Type': 'application/json', Authorization: key },
      body,
    })

/** Writes a text as Python's `json.dumps` does. */
const toAsciiJson = (value: object): string =>
  JSON.stringify(value).replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const create = (content: string, settings?: object) => sendJson(JSON.stringify({ content, settings }))
const encrypted = (content: string) => create(content, { encrypted: true, password: 'correct horse' })

async function createId(url: string, key: string, send: Send): Promise<string> {
  const { data } = (await (await send(url, key)).json()) as { data: { id: string } }
  return data.id
}

const direct = (name: string, send: Send): LargeRequest => ({ name, prepare: async () => send })

/** A request for a document that is created first. */
const withDocument = (name: string, creation: Send, getSend: (id: string) => Send): LargeRequest => ({
  name,
  prepare: async (url, key) => getSend(await createId(url, key, creation)),
})

const get =
  (getPath: (id: string) => string, headers: Record<string, string> = {}) =>
  (id: string): Send =>
  (url) =>
    fetch(url + getPath(id), { headers })

function fileForm(name: string, text: string): FormData {
  const form = new FormData()
  form.set(name, new Blob([text]), 'text.txt')
  return form
}

function fieldForm(text: string): FormData {
  const form = new FormData()
  form.set('content', text)
  return form
}

const PASSWORD = { 'X-Document-Password': 'correct horse' }

/** Requests with a document of 10 MiB, and requests that are made to take much memory. */
export const LARGE_REQUESTS: readonly LargeRequest[] = [
  direct('create, ASCII', create(ascii)),
  direct('create, one emoji', create(emoji)),
  direct('create, Chinese', create(chinese)),
  direct(`create, Chinese as \\uXXXX`, sendJson(toAsciiJson({ content: chinese }))),
  direct(`create, emoji as \\uXXXX`, sendJson(toAsciiJson({ content: emojiOnly }))),
  direct('create, control characters (60 MiB)', create(control)),
  direct('create, encrypted, ASCII', encrypted(ascii)),
  direct('create, encrypted, one emoji', encrypted(emoji)),
  direct(
    'create, encrypted, Chinese as \\uXXXX',
    sendJson(toAsciiJson({ content: chinese, settings: { encrypted: true } })),
  ),
  direct('create, form with a file', (url) => post(`${url}/`, fileForm('content', emoji), { Origin: url })),
  direct('create, form with a field', (url) => post(`${url}/`, fieldForm(emoji), { Origin: url })),
  direct('create, curl -T', (url) =>
    fetch(`${url}/text.txt`, { method: 'PUT', headers: PROGRAM, body: emoji }),
  ),
  direct('create, curl -F', (url) => post(`${url}/`, fileForm('file', emoji), PROGRAM)),
  direct('create, curl --data-urlencode', (url) =>
    post(`${url}/`, `content=${encodeURIComponent(emoji)}`, { ...PROGRAM, ...URLENCODED }),
  ),
  withDocument(
    'read, one emoji',
    create(emoji),
    get((id) => `/v1/document/${id}`),
  ),
  withDocument(
    'raw',
    create(emoji),
    get((id) => `/r/${id}`),
  ),
  withDocument(
    'page',
    create(emoji),
    get((id) => `/${id}`),
  ),
  withDocument(
    'read with the password',
    encrypted(emoji),
    get((id) => `/v1/document/${id}`, PASSWORD),
  ),
  withDocument(
    'read without the password',
    encrypted(emoji),
    get((id) => `/v1/document/${id}`),
  ),
  withDocument('edit', create(emoji), (id) =>
    sendJson(JSON.stringify({ id, content: `${emoji.slice(0, -2)}🎉` }), 'PATCH'),
  ),
  withDocument('edit, encrypted', encrypted(emoji), (id) =>
    sendJson(JSON.stringify({ id, content: `${emoji.slice(0, -2)}🎉`, password: 'correct horse' }), 'PATCH'),
  ),
  direct(
    'hostile: 6 MiB of {}, in an ignored member',
    sendJson(`{"content":"x","ignored":[${'{},'.repeat(2 * MiB)}{}]}`),
  ),
  direct(
    `hostile: 47 MiB of \\u0061`,
    sendJson(`{"content":"${'\\u0061'.repeat(Math.floor((47 * MiB) / 6))}"}`),
  ),
  direct('hostile: 40 MiB of [', sendJson('['.repeat(40 * MiB))),
  direct('hostile: form of 20 MiB of a&', (url) =>
    post(`${url}/`, 'a&'.repeat(10 * MiB), { Origin: url, ...URLENCODED }),
  ),
]
