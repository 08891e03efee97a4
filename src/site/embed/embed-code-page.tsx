import type { Document } from '../../documents/model/document.ts'
import type { AppContext } from '../../env.ts'
import { AppError } from '../../errors.ts'
import type { LineRange } from '../../http/answers/line-range.ts'
import { SCRIPTS } from '../assets.generated.ts'
import { Snippet } from '../components/snippet.tsx'
import { UNTITLED } from '../documents/page/document-header.tsx'
import { startsRendered } from '../documents/page/starts-rendered.ts'
import { contentSecurityPolicy } from '../layout/answer.ts'
import { Layout } from '../layout/layout.tsx'
import { page } from '../layout/page.tsx'
import { formatError } from '../layout/problem.tsx'
import { readLines, requireEmbeddable } from './answer-embed.tsx'
import { type EmbedTheme, formatEmbedCode, formatLines, getEmbedPath, parseEmbedTheme } from './embed-code.ts'
import { getEmbedHeight } from './embed-height.ts'

const THEMES: readonly { readonly value: EmbedTheme | ''; readonly label: string }[] = [
  { value: '', label: 'Automatic' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

const NO_SUCH_LINES = 'The document has fewer lines'

interface EmbedCodePageProps {
  readonly document: Document
  readonly siteUrl: string
  readonly signedIn: boolean
  /** The lines as the reader wrote them. */
  readonly lines: string
  readonly range: LineRange | null
  readonly theme: EmbedTheme | null
  /** Null if something is wrong with the lines. */
  readonly height: number | null
  readonly problem: string | null
}

const EmbedCodePage = ({
  document,
  siteUrl,
  signedIn,
  lines,
  range,
  theme,
  height,
  problem,
}: EmbedCodePageProps) => {
  const path = getEmbedPath(document.id, { range, theme })
  const title = document.title ?? UNTITLED
  return (
    <Layout title="Embed" signedIn={signedIn} scripts={[SCRIPTS.copyButton]}>
      <h1>Embed this document</h1>
      <p>
        Paste this code into your page. It shows <a href={`/${document.id}`}>{title}</a> as it is when
        somebody opens that page.
      </p>
      <form class="embed-options" action={`/${document.id}/embed/code`}>
        <div class="field">
          <label for="lines">Lines</label>
          <input
            id="lines"
            name="lines"
            value={lines}
            placeholder="All, or 10-40"
            autocomplete="off"
            aria-invalid={problem ? 'true' : undefined}
            aria-describedby={problem ? 'lines-problem' : undefined}
          />
        </div>
        <div class="field">
          <label for="theme">Theme</label>
          <select id="theme" name="theme">
            {THEMES.map(({ value, label }) => (
              <option value={value} selected={value === (theme ?? '')}>
                {label}
              </option>
            ))}
          </select>
        </div>
        <button type="submit" class="quiet">
          Update
        </button>
        {problem && (
          <p class="error" id="lines-problem" role="alert">
            {problem}
          </p>
        )}
      </form>
      {height !== null && (
        <>
          <Snippet id="embed" title="HTML">
            {formatEmbedCode({ address: siteUrl + path, title, height })}
          </Snippet>
          <h2>Preview</h2>
          <iframe
            class="embed-preview"
            src={path}
            title={`Preview: ${title}`}
            height={height}
            loading="lazy"
          />
        </>
      )}
    </Layout>
  )
}

/** Returns the lines that the reader asks for, or what is wrong with them. */
function parseLines(c: AppContext): { range: LineRange | null; problem: string | null } {
  try {
    return { range: readLines(c), problem: null }
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 400) throw error
    return { range: null, problem: formatError(error) }
  }
}

/** Answers a page with the code that embeds a document. It needs no scripts. */
export async function answerEmbedCode(c: AppContext, id: string): Promise<Response> {
  const { now, siteUrl, store } = c.var
  const document = await requireEmbeddable(c, id)
  const { range, problem } = parseLines(c)
  const rendered = range === null && startsRendered(document, null)
  const height = problem === null ? await getEmbedHeight(store, document, { range, rendered, now }) : null
  const failed = problem ?? (height === null ? `${NO_SUCH_LINES}.` : null)
  return page(
    c,
    <EmbedCodePage
      document={document}
      siteUrl={siteUrl}
      signedIn={c.var.hasSessionCookie}
      lines={range ? formatLines(range) : (c.req.query('lines') ?? '')}
      range={range}
      theme={parseEmbedTheme(c.req.query('theme'))}
      height={height}
      problem={failed}
    />,
    {
      status: failed === null ? 200 : 400,
      headers: {
        'Cache-Control': 'no-store',
        'X-Robots-Tag': 'noindex',
        'Content-Security-Policy': contentSecurityPolicy({ frames: true }),
      },
    },
  )
}
