import { useFrame } from '../layout/page-frame.ts'
import type { LinkPreview } from './link-preview.ts'

/** The tags of the Open Graph protocol (ogp.me), and those that X reads. Services read only the start of a page. */
export const PreviewTags = ({ preview }: { preview: LinkPreview }) => {
  const { siteUrl } = useFrame()
  const { title, description, type, path, picture } = preview
  const large = picture.width > picture.height
  return (
    <>
      <meta property="og:site_name" content="Regent" />
      <meta property="og:type" content={type} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      {path !== null && (
        <>
          <meta name="description" content={description} />
          <meta property="og:url" content={siteUrl + path} />
        </>
      )}
      <meta property="og:image" content={siteUrl + picture.path} />
      <meta property="og:image:type" content="image/png" />
      <meta property="og:image:width" content={String(picture.width)} />
      <meta property="og:image:height" content={String(picture.height)} />
      <meta property="og:image:alt" content={picture.alt} />
      <meta name="twitter:card" content={large ? 'summary_large_image' : 'summary'} />
    </>
  )
}
