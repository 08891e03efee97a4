import { html } from 'hono/html'
import type { AppContext } from '../../env.ts'
import { HOST_PLACEHOLDER } from '../../reference/host.ts'
import { REFERENCE } from '../assets.generated.ts'

/**
 * Returns the API reference as HTML, with the address of this server in its examples. It's a static file, so that it
 * doesn't make the Worker larger.
 *
 * @returns null if the Worker can't read static files, because its `wrangler.toml` is from an earlier release.
 */
export async function loadReference(c: AppContext): Promise<string | null> {
  const assets: Fetcher | undefined = c.env.ASSETS
  if (!assets) return null
  const response = await assets.fetch(new URL(REFERENCE, c.req.url))
  if (!response.ok) throw new Error(`${REFERENCE} is missing: ${response.status}`)
  return (await response.text()).replaceAll(HOST_PLACEHOLDER, String(html`${c.var.siteUrl}`))
}
