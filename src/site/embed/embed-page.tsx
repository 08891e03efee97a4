import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import type { Document } from '../../documents/model/document.ts'
import { formatHiddenCharacters, HIDDEN_WARNING } from '../../shared/text/format-hidden-characters.ts'
import { findHiddenCharacters } from '../../shared/text/hidden-characters.ts'
import { EMBED_STYLES, MARKDOWN_STYLES, SCRIPTS } from '../assets.generated.ts'
import { getLanguageLabel } from '../components/facts.tsx'
import { UNTITLED } from '../documents/page/document-header.tsx'
import { getTextData, writeChunks } from '../documents/page/numbered-text.tsx'
import { startsRendered } from '../documents/page/starts-rendered.ts'
import { Mark } from '../layout/wordmark.tsx'
import type { EmbedTheme } from './embed-code.ts'
import { type Excerpt, formatExcerpt } from './excerpt.ts'

interface FrameProps {
  readonly title: string
  readonly theme: EmbedTheme | null
  readonly siteUrl: string
  readonly styles?: readonly string[]
  readonly scripts?: readonly string[]
  readonly children: Child
}

/** The document in a frame of another site. Its links open in a new tab, and it has nothing else to click. */
const Frame = ({ title, theme, styles = [], scripts = [], children }: FrameProps) => (
  <html lang="en" data-theme={theme ?? undefined}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content={theme ?? 'light dark'} />
      <title>{title} · Regent</title>
      <base target="_blank" />
      {[EMBED_STYLES, ...styles].map((address) => (
        <link rel="stylesheet" href={address} />
      ))}
      {scripts.map((script) => (
        <script type="module" src={script} />
      ))}
    </head>
    <body>{children}</body>
  </html>
)

const SiteLink = ({ address }: { address: string }) => (
  <a class="wordmark" href={address}>
    <Mark />
    Regent
  </a>
)

interface EmbedNoticeProps extends Pick<FrameProps, 'theme' | 'siteUrl'> {
  readonly message: string
}

/** Says in a frame why there is no document. */
export const EmbedNotice = ({ theme, siteUrl, message }: EmbedNoticeProps) => (
  <Frame title="Document" theme={theme} siteUrl={siteUrl}>
    <main class="embed-notice">
      <h1>{message}</h1>
      <SiteLink address={`${siteUrl}/`} />
    </main>
  </Frame>
)

/** Warns about hidden characters, which could make a text look harmless that isn't. */
const HiddenCharacters = ({ text, from }: Pick<Excerpt, 'text' | 'from'>) => {
  const kinds = formatHiddenCharacters(findHiddenCharacters(text))
  if (kinds.length === 0) return null
  return (
    <p class="embed-note warning" role="note">
      <strong>{HIDDEN_WARNING.label}</strong> {HIDDEN_WARNING.text}{' '}
      {kinds.map(({ amount, line }) => `${amount} (line ${line + from - 1})`).join(' and ')}.
    </p>
  )
}

interface EmbedPageProps extends Pick<FrameProps, 'theme' | 'siteUrl'> {
  readonly document: Document
  readonly excerpt: Excerpt
}

/** Shows a document, or some of its lines, in a frame of another site. */
export const EmbedPage = ({ document, excerpt, theme, siteUrl }: EmbedPageProps) => {
  const { text, from, to, isShortened } = excerpt
  const lines = formatExcerpt(excerpt)
  const address = `${siteUrl}/${document.id}`
  const linesAddress = lines === null ? address : `${address}#L${from}-L${to}`
  // Only the whole of a Markdown document can be rendered.
  const rendered = lines === null && !isShortened && startsRendered(document, null)
  const title = document.title ?? UNTITLED
  const {
    'data-id': _,
    'data-starts-rendered': __,
    'data-version': ___,
    ...data
  } = getTextData(document, null, { burned: false })
  return (
    <Frame
      title={title}
      theme={theme}
      siteUrl={siteUrl}
      styles={rendered ? [MARKDOWN_STYLES] : []}
      scripts={[SCRIPTS.embed]}
    >
      <header class="embed-header">
        <h1 dir="auto">
          <a href={linesAddress}>{title}</a>
        </h1>
        <p class="embed-facts">
          <span id="shown-language">{getLanguageLabel(document)}</span>
          {lines !== null && <span>{lines}</span>}
        </p>
        <SiteLink address={linesAddress} />
      </header>
      <HiddenCharacters text={text} from={from} />
      <main class="embed-body">
        <section
          class="text"
          aria-label="Document text"
          tabindex={0}
          {...data}
          {...(rendered && { 'data-starts-rendered': '' })}
        >
          <pre class="numbers" aria-hidden="true">
            {Array.from({ length: to - from + 1 }, (_, index) => from + index).join('\n')}
          </pre>
          <pre>
            <code id="text">
              {raw([...writeChunks(text, { lineCount: to - from + 1, linesPerChunk: null })].join(''))}
            </code>
          </pre>
        </section>
      </main>
      {isShortened && (
        <p class="embed-note">
          This is only the beginning. <a href={address}>Open the document</a> to read the rest.
        </p>
      )}
    </Frame>
  )
}
