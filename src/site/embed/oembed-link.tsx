import { useFrame } from '../layout/page-frame.ts'
import { OEMBED_PATH } from './oembed.ts'

/** Tells programs how to embed a document. */
export const OEmbedLink = ({ id }: { readonly id: string }) => {
  const { siteUrl } = useFrame()
  const query = new URLSearchParams({ url: `${siteUrl}/${id}` })
  return <link rel="alternate" type="application/json+oembed" href={`${siteUrl}${OEMBED_PATH}?${query}`} />
}
