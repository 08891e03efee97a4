import type { Service } from '../support/service.ts'

/** Fills in the placeholders of the examples. Each example gets its own documents. */
interface Values {
  readonly base: string
  readonly key: string
}

interface Created {
  readonly id: string
  readonly password: string
  readonly token: string
}

async function create({ base }: Values, key: string, settings?: object): Promise<Created> {
  const response = await fetch(`${base}/v1/document`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: key },
    body: JSON.stringify({ content: 'one\ntwo\nthree\n', settings }),
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  const { data } = (await response.json()) as { data: { id: string; password?: string } }
  return { id: data.id, password: data.password ?? '', token: response.headers.get('X-Document-Token') ?? '' }
}

/** The addresses that examples use for a server. */
const ADDRESSES = /http:\/\/(?:127\.0\.0\.1|localhost):8787|https:\/\/paste\.example\.org/g
const KEY = 'imperial_…'
const TOKEN = 'regent_doc_…'
const DOCUMENT = /\b7hBqKz4n\b/g
const ENCRYPTED = /\bGBmG7rcm\b/g
const ENCRYPTED_PASSWORD = 'bj4qFDxCzxTrgk2wpWdDXT7n'
/** An encrypted document in a command that sends a password. */
const DOCUMENT_WITH_PASSWORD = /(?<=\/)ID\b(?=.*X-Document-Password)/g
const ANY_DOCUMENT = /(?<=\/)ID\b/g
const ANY_PASSWORD = /(?<=X-Document-Password: |PASSWORD=')…/g

export const PLACEHOLDERS = `\
  http://127.0.0.1:8787, https://paste.example.org: the server
  ${KEY}: an API key
  7hBqKz4n: a document of that key's account, or an anonymous document if the example contains ${TOKEN}
  GBmG7rcm, ${ENCRYPTED_PASSWORD}: an encrypted document and its password
  /ID: any document, or an encrypted document before "X-Document-Password: …"`

/** Returns an example with the address of the running server, a key and documents. */
export async function fillPlaceholders(text: string, { base }: Service, key: string): Promise<string> {
  const values = { base, key }
  const has = (pattern: RegExp) => text.search(pattern) !== -1
  const ordinary = has(DOCUMENT) || has(ANY_DOCUMENT)
  const document = ordinary ? await create(values, text.includes(TOKEN) ? '' : key) : undefined
  const secret = has(ENCRYPTED) || has(DOCUMENT_WITH_PASSWORD)
  const encrypted = secret ? await create(values, key, { encrypted: true }) : undefined
  return text
    .replace(ADDRESSES, base)
    .replaceAll(KEY, key)
    .replaceAll(TOKEN, document?.token ?? TOKEN)
    .replace(DOCUMENT, document?.id ?? '')
    .replace(ENCRYPTED, encrypted?.id ?? '')
    .replaceAll(ENCRYPTED_PASSWORD, encrypted?.password ?? '')
    .replace(DOCUMENT_WITH_PASSWORD, encrypted?.id ?? '')
    .replace(ANY_DOCUMENT, document?.id ?? '')
    .replace(ANY_PASSWORD, encrypted?.password ?? '')
}

/** Returns the arguments of a script: the server, an encrypted burn-after-reading document and its password. */
export async function scriptArguments({ base }: Service, key: string): Promise<string[]> {
  const { id, password } = await create({ base, key }, key, { encrypted: true, instant_delete: true })
  return [base, id, password]
}
