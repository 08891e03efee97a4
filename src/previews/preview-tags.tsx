import { useFrame } from '../site/layout/page.tsx'
import { Template } from '../site/layout/template.tsx'
import type { LinkPreview } from './link-preview.ts'

/** The size of every large preview picture, which all services show uncropped. */
export const PICTURE_WIDTH = 1200
export const PICTURE_HEIGHT = 630

const PREVIEW_TAGS = new Template('title', 'description', 'address', 'picture', 'alt')

/** The tags of the Open Graph protocol (ogp.me), and those that X reads. Services read only the start of a page. */
export const PreviewTags = ({ preview }: { preview: LinkPreview }) => {
  const { siteUrl } = useFrame()
  const { title, description, type, path, listed, picture } = preview
  const key = JSON.stringify([type, path === null, listed, picture === null])
  const values = {
    title,
    description,
    address: siteUrl + path,
    picture: siteUrl + picture?.path,
    alt: picture?.alt ?? '',
  }
  return PREVIEW_TAGS.fill(key, values, (gaps) => (
    <>
      <meta property="og:site_name" content="Regent" />
      <meta property="og:type" content={type} />
      <meta property="og:title" content={gaps.title} />
      <meta property="og:description" content={gaps.description} />
      {listed && <meta name="description" content={gaps.description} />}
      {path !== null && <meta property="og:url" content={gaps.address} />}
      {picture && (
        <>
          <meta property="og:image" content={gaps.picture} />
          <meta property="og:image:type" content="image/png" />
          <meta property="og:image:width" content={String(PICTURE_WIDTH)} />
          <meta property="og:image:height" content={String(PICTURE_HEIGHT)} />
          <meta property="og:image:alt" content={gaps.alt} />
        </>
      )}
      <meta name="twitter:card" content={picture ? 'summary_large_image' : 'summary'} />
    </>
  ))
}
