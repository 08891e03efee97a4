import type { BrowserContextOptions, Page } from 'playwright-core'

export const CODE = `import { customAlphabet } from 'nanoid'

/** Digits and letters without vowels and look-alikes, so that no id spells a word. */
const ALPHABET = '23456789bcdfghjkmnpqrstvwxyzBCDFGHJKMNPQRSTVWXYZ'

interface Link {
  readonly id: string
  readonly expires: Date | null
}

function generateId(length: number): string {
  if (!Number.isInteger(length) || length < 4) {
    throw new RangeError(\`an id has at least 4 characters, not \${length}\`)
  }
  return customAlphabet(ALPHABET, length)()
}
`

export const MARKDOWN = `# Notes of the meeting

Everyone was there, and *nobody* was late.

> [!WARNING]
> The release freezes on Monday.

## What we decided

- [x] The release goes out **on Tuesday**.
- [ ] [The plan](https://example.org/plan) doesn't change.
- \`npm test\` runs before anything else.[^1]

\`\`\`ts
const release = new Date('2026-11-24') // a Tuesday
\`\`\`

> If it isn't written down, it didn't happen.

| Task        | Who |
| ----------- | --- |
| Write it    | Ada |
| Read it     | Kim |

<details><summary>Who was there</summary>Ada and Kim.</details>

![The plan, drawn](https://example.org/plan.png)

[^1]: On every machine.
`

export const LONG_LINES = `${Array.from({ length: 24 }, (_, line) =>
  JSON.stringify({
    line: line + 1,
    message: 'a log line that is much longer than any window is wide. '.repeat(line % 3 ? 1 : 4).trim(),
  }),
).join('\n')}
`

export const MANY_LINES = Array.from({ length: 4_000 }, (_, line) => `${line + 1} green bottles\n`).join('')

const row = (colours: readonly number[]) =>
  colours.map((colour) => `\x1B[${colour}m colour ${colour} \x1B[0m`).join('')

export const TERMINAL = `\x1B[1m$ npm test\x1B[0m
\x1B[32m✓\x1B[39m reads a document \x1B[90m12 ms\x1B[39m
\x1B[31m✗\x1B[39m deletes an expired document \x1B[90m3 ms\x1B[39m
  \x1B[33mwarning\x1B[39m \x1B[4mhttps://example.org\x1B[24m is \x1B[9mslow\x1B[29m gone
${row([31, 32, 33, 34, 35, 36, 37, 90])}
${row([91, 92, 93, 94, 95, 96, 97, 30])}
${row([41, 42, 43, 44, 45, 46, 47, 100])}
`

export const HIDDEN = `/* \u202E } \u2066if (isAdmin)\u2069 \u2066 begin admins only */
  delete_\u200Beverything();
/* end admins only \u202E { \u2066*/
`

export const RIGHT_TO_LEFT = `\u05E9\u05DC\u05D5\u05DD \u05E2\u05D5\u05DC\u05DD
\u0645\u0631\u062D\u0628\u0627 \u0628\u0627\u0644\u0639\u0627\u0644\u0645\u060C \u0647\u0630\u0627 \u0646\u0635 \u0642\u0635\u064A\u0631 (1, 2, 3).
const greeting = "\u05E9\u05DC\u05D5\u05DD" // left to right again
`

export const ONE_LINE = 'one line that never ends, '.repeat(2_000)

export const LOG = `2026-11-22 14:31:58.102 INFO  [main] Server listening on port 8787
2026-11-22 14:32:04.530 DEBUG [http] GET /assets/favicon.svg 200 2 ms
2026-11-22 14:32:05.001 WARN  [store] KV took 812 ms, which is more than usual
2026-11-22 14:32:07.431 ERROR [worker] Request failed
java.lang.IllegalStateException: no connection
\tat org.example.Store.read(Store.java:87)
\tat org.example.Reader.run(Reader.java:23)
Caused by: java.net.SocketTimeoutException: timed out
\tat java.base/java.net.Socket.connect(Socket.java:751)
\t... 12 more
2026-11-22 14:32:09.007 INFO  [http] GET /x7Kp2mQd 200 14 ms
2026-11-22 14:32:11.950 WARN  [limits] 203.0.113.9 has made 30 requests in a minute
2026-11-22 14:32:20.274 INFO  [cron] Deleted 42 expired documents in 118 ms
`

export const DIFF = `diff --git a/src/ids.ts b/src/ids.ts
index 3a91f20..b7c4d55 100644
--- a/src/ids.ts
+++ b/src/ids.ts
@@ -3,8 +3,9 @@ import { customAlphabet } from 'nanoid'
 /** Digits and letters without vowels. */
-const ALPHABET = '23456789bcdfghjkmnpqrstvwxyz'
+const ALPHABET = '23456789bcdfghjkmnpqrstvwxyzBCDFGHJKMNPQRSTVWXYZ'

 export function generateId(length: number): string {
-  if (length < 4) throw new RangeError('too short')
+  if (!Number.isInteger(length) || length < 4) {
+    throw new RangeError(\`an id has at least 4 characters, not \${length}\`)
+  }
   return customAlphabet(ALPHABET, length)()
 }
`

/** The account that is signed in to the browser. */
export type Viewer = 'anyone' | 'ada' | 'newcomer' | 'judge' | 'collector'

export interface World {
  readonly base: string
  readonly getKey: (viewer: Viewer) => string
  /** Returns options for a browser that the viewer is signed in to. */
  readonly getContextOptions: (viewer: Viewer) => BrowserContextOptions
  /** Returns the link in the latest email to an address. */
  readonly getEmailedLink: (to: string) => Promise<string>
}

export interface State {
  readonly name: string
  readonly viewer?: Viewer
  /** Is true, the default, for a screenshot of the whole page, and false for the window only, for example for a dialog. */
  readonly whole?: boolean
  /** Further browser options, such as no scripts or a narrow window. */
  readonly context?: BrowserContextOptions
  /** Brings a new page into the state. */
  readonly open: (page: Page, world: World) => Promise<unknown>
}

export interface CreatedDocument {
  readonly id: string
  readonly password?: string
}

export async function create(world: World, content: string, settings: object, viewer: Viewer = 'ada') {
  const response = await fetch(`${world.base}/v1/document`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: world.getKey(viewer) },
    body: JSON.stringify({ content, settings }),
  })
  const { data } = (await response.json()) as { data: CreatedDocument }
  return data
}

async function report(world: World, id: string, reason: string, comment: string): Promise<void> {
  await fetch(`${world.base}/${id}/report`, {
    method: 'POST',
    headers: { Origin: world.base },
    body: new URLSearchParams({ reason, comment }),
  })
}

/** Fills the queue of moderators. The last report comes first. */
async function createReports(world: World): Promise<void> {
  const offer = (number: number) =>
    `Offer ${number}: watches, as good as new\nhttps://watches.example/${number}\n`
  for (let number = 1; number <= 5; number++) {
    const { id } = await create(world, offer(number), {}, 'newcomer')
    await report(world, id, 'spam', '')
  }
  const { id: list } = await create(world, LONG_LINES, { title: 'A list with a rather long title, by week' })
  await report(world, list, 'privacy', 'It has the names and addresses of our whole class.')
  const { id: secret } = await create(world, 'encrypted text', { encrypted: true })
  await report(world, secret, 'other', 'Somebody posts this link under every video.')
  const page = `Your account is locked!\n${LOG.repeat(6)}Confirm your password: https://bank.example/login\n`
  const { id } = await create(world, page, { public: true }, 'newcomer')
  await report(world, id, 'spam', 'The same text is everywhere by now.')
  await report(world, id, 'malware', '')
}

/** Creates documents and reports before the first screenshot. */
export async function createContent(world: World): Promise<void> {
  await create(world, MARKDOWN, { language: 'markdown', public: true, expiration: null })
  await create(world, CODE, { language: 'typescript', editors: ['newcomer'] })
  await create(world, LONG_LINES, { language: 'json', long_urls: true })
  await create(world, 'encrypted text', { encrypted: true, expiration: 1 })
  await create(world, 'text that burns after reading', { instant_delete: true })
  await create(world, 'unbroken'.repeat(10), {
    language: 'a-language-with-a-very-long-name-of-its-own',
    editors: ['newcomer'],
  })
  for (let number = 1; number <= 60; number++) {
    await create(world, `Note ${number} of many\n${'text '.repeat(number * 7)}`, {}, 'collector')
  }
  await createReports(world)
}

export const NO_SCRIPTS = { javaScriptEnabled: false } as const

/** Creates a document and opens its page. */
export const openDocument =
  (
    content: string,
    settings: object,
    then: (page: Page, made: CreatedDocument, world: World) => Promise<unknown> = async () => {},
  ) =>
  async (page: Page, world: World) => {
    const made = await create(world, content, settings)
    await page.goto(`/${made.id}`)
    await then(page, made, world)
  }

export const at = (path: string) => (page: Page) => page.goto(path)

/** Waits until code is coloured: no element changes, but a highlight is registered. */
export const waitForColours = (page: Page) => page.waitForFunction(() => CSS.highlights.size > 0)

export const isPhone = (page: Page): boolean => (page.viewportSize()?.width ?? 0) < 600

export const click = (page: Page, name: string) => page.getByRole('button', { name }).first().click()
