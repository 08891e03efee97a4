import { Hono } from 'hono'
import { createDocument, plainDocument } from '../documents/create.ts'
import { plainText } from '../documents/text.ts'
import type { AppEnv } from '../env.ts'
import { methodNotAllowed } from '../errors.ts'
import { formFields, formLimit } from './form.ts'
import { Layout } from './layout.tsx'
import { answerErrorPage, errorHeaders, page, pageAround, seeOther, toLoggedError } from './respond.tsx'

interface HomeProps {
  readonly siteUrl: string
  readonly signedIn: boolean
  readonly text?: string
  readonly problem?: string
}

const HomePage = ({ siteUrl, signedIn, text = '', problem }: HomeProps) => (
  <Layout title="New document" signedIn={signedIn}>
    <h1>New document</h1>
    <form method="post" action="/" enctype="multipart/form-data" class="editor">
      {problem && (
        <p class="error" role="alert" id="problem">
          {problem}
        </p>
      )}
      <label for="content">Text</label>
      <textarea
        id="content"
        name="content"
        rows={18}
        required
        autofocus
        spellcheck={false}
        autocapitalize="off"
        aria-describedby={problem ? 'problem' : 'lifetime'}
      >
        {/* The parser drops the first line break, so it gets one of its own. */}
        {`\n${text}`}
      </textarea>
      <div class="actions">
        <button type="submit">Create document</button>
        <p id="lifetime">Anyone with the link can read it. It expires after 7 days.</p>
      </div>
    </form>
    <section id="api" class="prose" aria-labelledby="api-title">
      <h2 id="api-title">For programs</h2>
      <p>The same from a terminal, an editor or a bot, without an account:</p>
      {/* Wider than a phone: it scrolls, so it must be reachable by keyboard. */}
      <pre tabindex={0}>
        <code>{`curl ${siteUrl}/v1/document -H "Content-Type: application/json" -d '{"content": "Hello"}'`}</code>
      </pre>
      <table>
        <thead>
          <tr>
            <th scope="col">Request</th>
            <th scope="col">What it does</th>
          </tr>
        </thead>
        <tbody>
          {ROUTES.map(([request, purpose]) => (
            <tr>
              <td>
                <code>{request}</code>
              </td>
              <td>{purpose}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </Layout>
)

const ROUTES = [
  ['POST /v1/document', 'Creates a document: content, and with an API key settings.'],
  ['GET /v1/document/ID', 'Reads a document; with ?password= an encrypted one.'],
  ['PATCH /v1/document', 'Changes a document that you made or may edit.'],
  ['DELETE /v1/document/ID', 'Deletes a document that you made.'],
  ['GET /r/ID', 'The text alone.'],
] as const

/** A textarea's line breaks, as the form around them writes them. */
const fromTextarea = (value: string) => value.replaceAll('\r\n', '\n')

export const home = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get('/', (c) => page(c, <HomePage siteUrl={c.var.siteUrl} signedIn={c.var.holdsSession} />))
  .post(
    '/',
    (c, next) =>
      // A form writes each line break in two bytes.
      formLimit(2 * c.var.config.maxContentBytes + 64 * 1024)(c, next),
    async (c) => {
      const { config, now, siteUrl, store } = c.var
      const text = fromTextarea((await formFields(c)).get('content') ?? '')
      try {
        const input = plainDocument(plainText(text, config.maxContentBytes), now)
        const { document } = await createDocument(store, input, { creator: null, now })
        return seeOther(c, `/${document.id}`)
      } catch (thrown) {
        const error = toLoggedError(thrown, c.var.requestId)
        const tooLarge = error.code === 'content_too_large'
        const problem =
          error.code === 'bad_request' ? 'Write something first.' : `${error.message}. Try again.`
        const render = (again: string) => (
          <HomePage siteUrl={siteUrl} signedIn={c.var.holdsSession} text={again} problem={problem} />
        )
        // Nothing that was typed is lost: it comes back with what went wrong, unless it is more than anyone typed.
        return pageAround(c, tooLarge ? '' : text, render, {
          status: error.status,
          headers: errorHeaders(error),
        })
      }
    },
  )
  .all('/', () => {
    throw methodNotAllowed('GET, HEAD, POST')
  })
