import { html } from 'hono/html'
import type { JSX } from 'hono/jsx/jsx-runtime'
import type { AppContext } from '../../env.ts'
import { generateSlot, SLICE_CHARACTERS, streamSliced } from '../../platform/streaming.ts'
import { escapeHtml } from '../../shared/text/escape-html.ts'
import { type AnswerOptions, answer, type Body } from './answer.ts'
import { getFrame, renderInFrame } from './page-frame.ts'

/** Answers HTML that is rendered already. */
export const answerHtml = (c: AppContext, html: Body, { status, headers }: AnswerOptions = {}): Response =>
  answer(c, html, {
    ...(status && { status }),
    headers: { 'Content-Type': 'text/html; charset=utf-8', ...headers },
  })

/** Renders a page in the frame of this request. */
const renderPage = async (c: AppContext, content: JSX.Element, status = 200): Promise<string> =>
  String(await renderInFrame(getFrame(c, status), () => html`<!doctype html>${content}`))

/** Answers a page. */
export const page = async (c: AppContext, content: JSX.Element, options?: AnswerOptions): Promise<Response> =>
  answerHtml(c, await renderPage(c, content, options?.status), options)

interface TextPageOptions extends AnswerOptions {
  /** Writes a long text as HTML; by default it is escaped as it is. */
  readonly write?: ((text: string) => Iterable<string>) | undefined
}

/** Answers a page that contains a text of any length, at the place where `render` puts it. */
export const pageWithText = (
  c: AppContext,
  text: string,
  render: (text: string) => JSX.Element,
  options?: TextPageOptions,
): Promise<Response> => pageWithTwoTexts(c, [text, ''], (first) => render(first), options)

/** Answers a page that contains two texts of any length. `render` must put the first before the second. */
export async function pageWithTwoTexts(
  c: AppContext,
  [first, second]: readonly [string, string],
  render: (first: string, second: string) => JSX.Element,
  { write, ...options }: TextPageOptions = {},
): Promise<Response> {
  if (first.length + second.length <= SLICE_CHARACTERS) return page(c, render(first, second), options)
  const [one, two] = [generateSlot(), generateSlot()]
  const frame = await renderPage(c, render(one, two), options.status)
  const texts = [
    { slot: one, text: first, write },
    { slot: two, text: second, write },
  ]
  return answerHtml(c, streamSliced({ frame, texts, escapeSlice: escapeHtml }), options)
}
