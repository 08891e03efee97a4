import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { account, session } from '../../support/accounts.ts'
import { withVars } from '../../support/client.ts'
import { requestPage } from '../../support/site/forms.ts'

/** What Chrome sends for a text that another app shares. */
const FROM_APP = { Origin: 'null', 'Sec-Fetch-Site': 'none' }

function createBody(fields: Readonly<Record<string, string | File>>): FormData {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  return body
}

const share = (
  fields: Readonly<Record<string, string | File>>,
  headers: Readonly<Record<string, string>> = FROM_APP,
  bindings: Env = env,
) => requestPage('/share', { method: 'POST', body: createBody(fields), headers }, bindings)

const getText = (html: string) => /<textarea[^>]*name="content"[^>]*>([^<]*)/.exec(html)?.[1]

describe('a text that another app shares', () => {
  it.each([
    [{ text: 'one\r\n<b>two</b>' }, '\none\n&lt;b&gt;two&lt;/b&gt;'],
    [{ text: 'Look', url: 'https://a.example/' }, '\nLook\nhttps://a.example/'],
    [{ text: 'Look: https://a.example/', url: 'https://a.example/' }, '\nLook: https://a.example/'],
    [{ url: 'https://a.example/' }, '\nhttps://a.example/'],
    [{ file: new File(['from a file'], 'notes.txt', { type: 'text/plain' }) }, '\nfrom a file'],
    [{}, '\n'],
  ])('is in the editor, and isn’t stored: %j', async (fields, text) => {
    const { status, html, headers } = await share(fields)
    expect(status).toBe(200)
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(getText(html)).toBe(text)
    expect(html).toContain('action="/"')
  })

  it('has its title, and belongs to who is signed in', async () => {
    const user = await account()
    const { html } = await share(
      { title: 'A "title"', text: 'x' },
      { ...FROM_APP, ...(await session(user)), Origin: 'null' },
    )
    expect(html).toMatch(/value="A &quot;title&quot;"/)
    expect(html).toContain(`name="account" value="${user.id}"`)
    const file = new File(['x'], 'notes.txt', { type: 'text/plain' })
    expect((await share({ file }, { ...FROM_APP, ...(await session(user)), Origin: 'null' })).html).toContain(
      'value="notes.txt"',
    )
  })

  it('has the beginning of a title that is too long', async () => {
    const { html } = await share({ title: '"'.repeat(1_000_000), text: 'x' })
    expect(html).toContain(`value="${'&quot;'.repeat(200)}"`)
  })

  it('stays in the editor where only accounts can create documents, beside a way to sign in', async () => {
    const refusing = withVars({ ANONYMOUS_DOCUMENTS: 'refuse' })
    const { status, html } = await share({ title: 'Mine', text: 'only here' }, FROM_APP, refusing)
    expect(status).toBe(200)
    expect(getText(html)).toBe('\nonly here')
    expect(html).toContain('value="Mine"')
    // In another tab: without scripts, this page is the only place that has the text.
    expect(html).toMatch(
      /role="alert"[^>]*>.*only people with an account.*<a href="\/sign-in" target="_blank"/,
    )
    expect(html).not.toContain('No account needed')
    expect((await share({}, FROM_APP, refusing)).html).not.toContain('<textarea')
  })

  it.each([
    [{ Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }],
    [{ Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }],
    [{ Origin: 'https://evil.example', 'Sec-Fetch-Site': 'none' }],
    [{ 'Sec-Fetch-Site': 'same-site' }],
    [{ Origin: 'null' }],
  ])('isn’t shown if another site sent it: %j', async (headers) => {
    const { status, html } = await share({ text: 'not typed here' }, headers)
    expect(status).toBe(403)
    expect(html).not.toContain('not typed here')
  })

  it('is never in an address', async () => {
    const { status, headers } = await requestPage('/share?text=secret')
    expect({ status, location: headers.get('Location') }).toEqual({ status: 303, location: '/' })
  })

  it('that isn’t text is refused', async () => {
    const file = new File([new Uint8Array([0xff, 0xfe, 0xff])], 'x.txt')
    expect((await share({ file })).status).toBe(400)
  })

  it('that can’t be read is refused, and not for its encoding', async () => {
    const headers = { ...FROM_APP, 'Content-Type': 'multipart/form-data; boundary=x' }
    const { status, html } = await requestPage('/share', { method: 'POST', body: '--y', headers })
    expect(status).toBe(400)
    expect(html).not.toContain('UTF-8')
  })
})
