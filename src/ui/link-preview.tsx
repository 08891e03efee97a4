import { html } from 'hono/html'
import { isBranded, type Site } from '../config.ts'
import { usePage } from './page.tsx'

/** The size of every large preview picture, which all services show uncropped. */
export const PICTURE_WIDTH = 1200
export const PICTURE_HEIGHT = 630

export interface LinkPreview {
  /** Is null for the site's name. */
  readonly title: string | null
  readonly description: string
  readonly type: 'website' | 'article'
  /** The path of the page that the link leads to; null if the preview must not name it. */
  readonly path: string | null
  readonly listed: boolean
  /** Is null for a document whose creator doesn't want a picture: its preview is text. */
  readonly picture: { readonly path: string; readonly alt: string } | 'site' | null
}

/** The picture of the site itself: one that comes with Regent, or one in the operator's name and colour. */
export const getSitePicturePath = (site: Site): string =>
  isBranded(site) ? '/site/preview.png' : '/assets/preview.png'

/** An encrypted document, one that burns after reading, and an address without a document all look the same. */
export const NEUTRAL_PREVIEW: LinkPreview = {
  title: null,
  description: 'Share text by link: code, logs and notes.',
  type: 'website',
  path: null,
  listed: false,
  picture: 'site',
}

export const HOME_PREVIEW: LinkPreview = { ...NEUTRAL_PREVIEW, path: '/', listed: true }

export const previewPage = (title: string, description: string, path: string): LinkPreview => ({
  ...NEUTRAL_PREVIEW,
  title,
  description,
  path,
  listed: true,
})

const tag = (property: string, content: string) =>
  html`<meta property="og:${property}" content="${content}"/>`

/**
 * Writes the tags of Open Graph (ogp.me), and those that X reads. Services read only the start of a page. They aren't JSX,
 * which takes longer, since every page has them.
 */
export const PreviewTags = ({ preview }: { preview: LinkPreview }) => {
  const { site, siteUrl } = usePage()
  const { title, description, type, path, listed } = preview
  const picture =
    preview.picture === 'site'
      ? { path: getSitePicturePath(site), alt: `${site.name}: share text by link` }
      : preview.picture
  const pictureTags = picture && [
    tag('image', siteUrl + picture.path),
    tag('image:type', 'image/png'),
    tag('image:width', String(PICTURE_WIDTH)),
    tag('image:height', String(PICTURE_HEIGHT)),
    tag('image:alt', picture.alt),
  ]
  return html`${tag('site_name', site.name)}${tag('type', type)}${tag('title', title ?? site.name)}
${tag('description', description)}
${listed && html`<meta name="description" content="${description}"/>`}
${path !== null && tag('url', siteUrl + path)}${pictureTags}
<meta name="twitter:card" content="${picture ? 'summary_large_image' : 'summary'}"/>`
}
