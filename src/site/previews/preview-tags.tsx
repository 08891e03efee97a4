import { useFrame } from '../layout/page-frame.ts'
import type { LinkPreview } from './link-preview.ts'
import { PICTURE_HEIGHT, PICTURE_WIDTH } from './picture-size.ts'

/** The tags of the Open Graph protocol (ogp.me), and those that X reads. Services read only the start of a page. */
export const PreviewTags = ({ preview }: { preview: LinkPreview }) => {
  const { siteUrl } = useFrame()
  const { title, description, type, path, listed, picture } = preview
  return (
    <>
      <meta property="og:site_name" content="Regent" />
      <meta property="og:type" content={type} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      {listed && <meta name="description" content={description} />}
      {path !== null && <meta property="og:url" content={siteUrl + path} />}
      {picture && (
        <>
          <meta property="og:image" content={siteUrl + picture.path} />
          <meta property="og:image:type" content="image/png" />
          <meta property="og:image:width" content={String(PICTURE_WIDTH)} />
          <meta property="og:image:height" content={String(PICTURE_HEIGHT)} />
          <meta property="og:image:alt" content={picture.alt} />
        </>
      )}
      <meta name="twitter:card" content={picture ? 'summary_large_image' : 'summary'} />
    </>
  )
}
