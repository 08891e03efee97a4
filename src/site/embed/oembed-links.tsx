import { useFrame } from '../layout/page-frame.ts'
import { OEMBED_PATH } from './oembed.ts'

/** Tells programs how to embed the document at an address. */
export const OEmbedLinks = ({ id, title }: { readonly id: string; readonly title: string }) => {
  const { siteUrl } = useFrame()
  const query = (format: string) => new URLSearchParams({ url: `${siteUrl}/${id}`, format })
  return (
    <>
      {['json', 'xml'].map((format) => (
        <link
          rel="alternate"
          type={`${format === 'json' ? 'application/json' : 'text/xml'}+oembed`}
          href={`${siteUrl}${OEMBED_PATH}?${query(format)}`}
          title={title}
        />
      ))}
    </>
  )
}
