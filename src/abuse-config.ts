/** How the operator hears of reports, and how anonymous creates prove that a person makes them. */
export interface AbuseConfig {
  /** Gets an email about reported documents; null for none. */
  readonly reportEmail: string | null
  /** Gets a request about reported documents; null for none. */
  readonly reportWebhook: ReportWebhook | null
  /** Cloudflare Turnstile; null: off. */
  readonly turnstile: Turnstile | null
}

export interface ReportWebhook {
  readonly url: string
  /** Signs each request (https://www.standardwebhooks.com). */
  readonly key: Uint8Array<ArrayBuffer>
}

export interface Turnstile {
  readonly siteKey: string
  readonly secret: string
  /** Where tokens are checked. */
  readonly verifyUrl: string
}

/** The variables and secrets, which nothing has checked yet. */
export interface AbuseVariables {
  readonly REPORT_EMAIL?: string | undefined
  readonly REPORT_WEBHOOK_URL?: string | undefined
  readonly REPORT_WEBHOOK_SECRET?: string | undefined
  readonly TURNSTILE_SITE_KEY?: string | undefined
  readonly TURNSTILE_SECRET?: string | undefined
  readonly TURNSTILE_VERIFY_URL?: string | undefined
}

const SITEVERIFY = 'https://challenges.cloudflare.com/turnstile/v0/siteverify'

const MIN_KEY_BYTES = 24

function parseWebhookKey(secret: string): Uint8Array<ArrayBuffer> {
  const [, encoded = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? []
  const key = Uint8Array.from(encoded.length % 4 === 1 ? '' : atob(encoded), (byte) => byte.charCodeAt(0))
  if (key.length < MIN_KEY_BYTES) {
    throw new Error(`REPORT_WEBHOOK_SECRET must be "whsec_" and at least ${MIN_KEY_BYTES} bytes in base64`)
  }
  return key
}

/** Parses the variables against abuse. Throws an Error that names the first invalid one. */
export function parseAbuseConfig(variables: AbuseVariables): AbuseConfig {
  const email = variables.REPORT_EMAIL?.trim() || null
  if (email !== null && !/^[^\s@<>,;]+@[^\s@<>,;]+$/.test(email)) {
    throw new Error(`REPORT_EMAIL is not an email address: "${email}"`)
  }
  const url = variables.REPORT_WEBHOOK_URL?.trim() || null
  if (url !== null && !(URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))) {
    throw new Error('REPORT_WEBHOOK_URL is not an http or https URL')
  }
  const siteKey = variables.TURNSTILE_SITE_KEY?.trim() || null
  const secret = variables.TURNSTILE_SECRET || null
  if ((siteKey === null) !== (secret === null)) {
    throw new Error('Set both TURNSTILE_SITE_KEY and the secret TURNSTILE_SECRET, or neither')
  }
  return {
    reportEmail: email,
    reportWebhook: url === null ? null : { url, key: parseWebhookKey(variables.REPORT_WEBHOOK_SECRET ?? '') },
    turnstile:
      siteKey !== null && secret !== null
        ? { siteKey, secret, verifyUrl: variables.TURNSTILE_VERIFY_URL?.trim() || SITEVERIFY }
        : null,
  }
}
