import { Hono } from 'hono'
import { html } from 'hono/html'
import { type Document, hasOpenContent, isListed } from '../documents/document.ts'
import type { AppEnv } from '../env.ts'
import { answerErrorText } from '../http/answers.ts'
import { formatSize } from '../shared/format.ts'
import { findLanguage, PLAIN_TEXT } from '../shared/languages.ts'
import { getLanguageLabel } from '../site/components/facts.tsx'
import { removeHidden, shortenText, type TextFacts } from '../site/documents/text-facts.ts'
import { useFrame } from '../site/layout/page.tsx'

const MAX_TITLE_CHARACTERS = 120
const MAX_AUTHOR_AND_LANGUAGE_CHARACTERS = 60

/** The size of every large preview picture, which all services show uncropped. */
export const PICTURE_WIDTH = 1200
export const PICTURE_HEIGHT = 630

export interface LinkPreview {
  readonly title: string
  readonly description: string
  readonly type: 'website' | 'article'
  /** The path of the page that the link leads to; null if the preview must not name it. */
  readonly path: string | null
  readonly listed: boolean
  /** Null for a document whose creator doesn't want one: its preview is text. */
  readonly picture: { readonly path: string; readonly alt: string } | null
}

export const SITE_PICTURE_PATH = '/assets/preview.png'

/** An encrypted document, one that burns after reading, and an address without a document all look the same. */
export const NEUTRAL_PREVIEW: LinkPreview = {
  title: 'Regent',
  description: 'Share text by link: code, logs and notes.',
  type: 'website',
  path: null,
  listed: false,
  picture: { path: SITE_PICTURE_PATH, alt: 'Regent: share text by link' },
}

export const HOME_PREVIEW: LinkPreview = { ...NEUTRAL_PREVIEW, path: '/', listed: true }

export const previewPage = (title: string, description: string, path: string): LinkPreview => ({
  ...NEUTRAL_PREVIEW,
  title,
  description,
  path,
  listed: true,
})

/** Services keep what they load, so each version of a document has its own address. */
export const getPicturePath = ({ id, version }: Document): string =>
  `/${id}/preview.png?v=${encodeURIComponent(version.slice(0, 8))}`

const PROSE: ReadonlySet<string> = new Set([PLAIN_TEXT, 'markdown'])

interface PreviewedText {
  readonly document: Document
  readonly facts: TextFacts
}

function describe({ document, facts: { chunks, excerpts } }: PreviewedText): string {
  const { lineCount } = chunks
  const shorten = (text: string) => shortenText(removeHidden(text), MAX_AUTHOR_AND_LANGUAGE_CHARACTERS)
  const facts = [
    shorten(getLanguageLabel(document)),
    lineCount === 1 ? '1 line' : `${lineCount} lines`,
    formatSize(document.contentBytes),
    ...(document.creator ? [`by ${shorten(document.creator.username)}`] : []),
  ].join(' · ')
  const language = findLanguage(document.language)?.name ?? PLAIN_TEXT
  if (!PROSE.has(language)) return facts
  const excerpt = language === 'markdown' ? excerpts.markdown : excerpts.plain
  return excerpt === '' ? facts : `${facts} — ${excerpt}`
}

export function previewDocument(text: PreviewedText): LinkPreview {
  const { document, facts } = text
  if (!hasOpenContent(document)) return NEUTRAL_PREVIEW
  const given = document.givenTitle === null ? '' : removeHidden(document.givenTitle)
  const title = given === '' ? facts.derivedTitle : given
  return {
    title: shortenText(title, MAX_TITLE_CHARACTERS),
    description: describe(text),
    type: 'article',
    path: `/${document.id}`,
    listed: isListed(document),
    picture: document.imageEmbed
      ? { path: getPicturePath(document), alt: 'The beginning of the document' }
      : null,
  }
}

const tag = (property: string, content: string) =>
  html`<meta property="og:${property}" content="${content}"/>`

/** Open Graph (ogp.me), and what X reads. Services read only the start of a page. Not in JSX: every page has them. */
export const PreviewTags = ({ preview }: { preview: LinkPreview }) => {
  const { siteUrl } = useFrame()
  const { title, description, type, path, listed, picture } = preview
  const pictureTags = picture && [
    tag('image', siteUrl + picture.path),
    tag('image:type', 'image/png'),
    tag('image:width', String(PICTURE_WIDTH)),
    tag('image:height', String(PICTURE_HEIGHT)),
    tag('image:alt', picture.alt),
  ]
  return html`${tag('site_name', 'Regent')}${tag('type', type)}${tag('title', title)}
${tag('description', description)}
${listed && html`<meta name="description" content="${description}"/>`}
${path !== null && tag('url', siteUrl + path)}${pictureTags}
<meta name="twitter:card" content="${picture ? 'summary_large_image' : 'summary'}"/>`
}

const load = () => import('./pictures.lazy.ts')

/** Anyone with a document's link could also read it, so its picture needs no permission, and counts no view. */
export const pictures = new Hono<AppEnv>()
  .onError(answerErrorText)
  .get('/:id/preview.png', async (c) => (await load()).answerPicture(c))
