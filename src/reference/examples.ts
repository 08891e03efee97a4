import type { ExampleRequest, Operation } from '../api/openapi/operation.ts'

/** Stands for the server's address in the reference. Each server replaces it with its own address. */
export const HOST_PLACEHOLDER = 'https://regent.invalid'

type CodeRequest = ReturnType<typeof toCodeRequest>

const CREDENTIAL_HEADERS: Readonly<Record<ExampleRequest['credential'], Readonly<Record<string, string>>>> = {
  none: {},
  key: { Authorization: 'YOUR_API_KEY' },
  documentToken: { 'X-Document-Token': 'YOUR_DOCUMENT_TOKEN' },
  documentPassword: { 'X-Document-Password': 'YOUR_PASSWORD' },
}

const PATH_PLACEHOLDERS: Readonly<Record<string, string>> = {
  id: 'YOUR_DOCUMENT_ID',
  username: 'YOUR_USERNAME',
  number: '1',
  prefix: 'YOUR_SEARCH',
}

/** Turns an example into a request with placeholders, which start with `YOUR_`. */
export function toCodeRequest(operation: Operation, example: ExampleRequest) {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => PATH_PLACEHOLDERS[name] ?? name)
  const query = example.query ? `?${new URLSearchParams(example.query)}` : ''
  return {
    method: operation.method.toUpperCase(),
    url: HOST_PLACEHOLDER + path + query,
    headers: {
      ...(example.body && { 'Content-Type': 'application/json' }),
      ...CREDENTIAL_HEADERS[example.credential],
    },
    body: example.body && 'id' in example.body ? { ...example.body, id: PATH_PLACEHOLDERS.id } : example.body,
    prints: example.prints,
  }
}

const quote = (text: string): string =>
  /^[\w:/.@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

interface Notation {
  readonly name: (name: string) => string
  readonly scalar: (value: unknown) => string
  readonly padding: '' | ' '
  readonly indent: string
  readonly trailingComma: boolean
}

const MAX_LITERAL_CHARACTERS = 56

function writeLiteral(value: unknown, notation: Notation, margin: string): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return notation.scalar(value)
  const write = (inner: string) =>
    Object.entries(value).map(
      ([name, member]) => `${notation.name(name)}: ${writeLiteral(member, notation, inner)}`,
    )
  const line = `{${notation.padding}${write(margin).join(', ')}${notation.padding}}`
  if (line.length <= MAX_LITERAL_CHARACTERS && !line.includes('\n')) return line
  const inner = margin + notation.indent
  const end = notation.trailingComma ? ',' : ''
  return `{\n${inner}${write(inner).join(`,\n${inner}`)}${end}\n${margin}}`
}

const JSON_NOTATION: Notation = {
  name: (name) => JSON.stringify(name),
  scalar: (value) => JSON.stringify(value),
  padding: '',
  indent: '  ',
  trailingComma: false,
}

const toJavaScriptString = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

const JAVASCRIPT_NOTATION: Notation = {
  name: (name) => (/^\w+$/.test(name) ? name : `'${name}'`),
  scalar: (value) => (typeof value === 'string' ? toJavaScriptString(value) : JSON.stringify(value)),
  padding: ' ',
  indent: '  ',
  trailingComma: true,
}

const PYTHON_CONSTANTS: Readonly<Record<string, string>> = { null: 'None', true: 'True', false: 'False' }

const PYTHON_NOTATION: Notation = {
  name: (name) => JSON.stringify(name),
  scalar: (value) => PYTHON_CONSTANTS[JSON.stringify(value)] ?? JSON.stringify(value),
  padding: '',
  indent: '    ',
  trailingComma: true,
}

export function toCurl({ method, url, headers, body, prints }: CodeRequest): string {
  const flags = method === 'HEAD' ? '--head ' : prints === 'data' ? '' : '-i '
  const isDefaultMethod = method === 'GET' || method === 'HEAD' || (method === 'POST' && body)
  const lines = [
    `curl ${flags}${isDefaultMethod ? '' : `-X ${method} `}${quote(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`),
    ...(body ? [`-d '${writeLiteral(body, JSON_NOTATION, '  ')}'`] : []),
  ]
  return lines.join(' \\\n  ')
}

const JAVASCRIPT_PRINTS: Readonly<Record<ExampleRequest['prints'], string>> = {
  data: 'const { data } = await response.json()\nconsole.log(data)',
  'link and token':
    "const { data } = await response.json()\nconsole.log(data.links.formatted, response.headers.get('X-Document-Token'))",
  status: 'console.log(response.status)',
}

/** Runs in Node, Deno, Bun and browsers. */
export function toJavaScript({ method, url, headers, body, prints }: CodeRequest): string {
  const write = (value: object) => writeLiteral(value, JAVASCRIPT_NOTATION, '  ')
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}',`]),
    ...(Object.keys(headers).length > 0 ? [`headers: ${write(headers)},`] : []),
    ...(body ? [`body: JSON.stringify(${write(body)}),`] : []),
  ]
  const init = options.length > 0 ? `, {\n${options.map((option) => `  ${option}\n`).join('')}}` : ''
  return `const response = await fetch('${url}'${init})\n${JAVASCRIPT_PRINTS[prints]}`
}

const PYTHON_PRINTS: Readonly<Record<ExampleRequest['prints'], readonly string[]>> = {
  data: ['print(json.load(response)["data"])'],
  'link and token': [
    'print(json.load(response)["data"]["links"]["formatted"])',
    'print(response.headers["X-Document-Token"])',
  ],
  status: ['print(response.status)'],
}

/** Returns a program that needs no packages. */
export function toPython({ method, url, headers, body, prints }: CodeRequest): string {
  const write = (value: object) => writeLiteral(value, PYTHON_NOTATION, '    ')
  const options = [
    ...(method === 'GET' ? [] : [`method="${method}",`]),
    ...(Object.keys(headers).length > 0 ? [`headers=${write(headers)},`] : []),
    ...(body ? [`data=json.dumps(${write(body)}).encode(),`] : []),
  ]
  const request =
    options.length === 0
      ? `Request("${url}")`
      : `Request(\n    "${url}",\n${options.map((option) => `    ${option}\n`).join('')})`
  const usesJson = body !== undefined || prints !== 'status'
  return [
    ...(usesJson ? ['import json'] : []),
    'from urllib.request import Request, urlopen',
    '',
    `request = ${request}`,
    'with urlopen(request) as response:',
    ...PYTHON_PRINTS[prints].map((line) => `    ${line}`),
  ].join('\n')
}
