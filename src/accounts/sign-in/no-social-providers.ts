import * as z from 'zod'

/**
 * What better-auth imports of its forty OAuth providers. Regent signs in with GitHub by the generic OAuth plugin, so
 * wrangler.toml puts this module in their place, which makes the Worker 11 KB smaller after gzip.
 */
export const socialProviders = {}

/** The schema of a provider's name in requests. */
export const SocialProviderListEnum = z.string()
