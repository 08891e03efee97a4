import { CommandError } from '../support/wrangler.ts'

/** Writes the address of the site into the text of `wrangler.toml`, and the domain that leads there. */
export function setSite(toml: string, site: string): string {
  const line = /^SITE_URL = ".*"$/m
  if (!line.test(toml)) throw new CommandError('wrangler.toml has no line SITE_URL = "". Set it there.')
  const changed = toml.replace(line, `SITE_URL = "${site}"`)
  const { hostname } = new URL(site)
  if (hostname.endsWith('.workers.dev') || /^\s*(route|routes)\s*=|^\[\[routes\]\]/m.test(toml))
    return changed
  return `${changed.trimEnd()}

# The domain of the site. Its zone must be in the same Cloudflare account.
[[routes]]
pattern = "${hostname}"
custom_domain = true
`
}

/** Returns the value of a line such as `SITE_URL = "…"`, or null without one. */
export const findValue = (toml: string, name: string): string | null =>
  new RegExp(`^${name} = "(.*)"$`, 'm').exec(toml)?.[1] ?? null
