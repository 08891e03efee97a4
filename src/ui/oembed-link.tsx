import { usePage } from './page.tsx'

export const OEMBED_PATH = '/oembed'

export const OEmbedLink = ({ id }: { readonly id: string }) => {
  const { siteUrl } = usePage()
  const query = new URLSearchParams({ url: `${siteUrl}/${id}` })
  return <link rel="alternate" type="application/json+oembed" href={`${siteUrl}${OEMBED_PATH}?${query}`} />
}
