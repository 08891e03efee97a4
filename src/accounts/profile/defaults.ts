import type { Database } from '../../platform/database.ts'

export const LIFETIMES = ['hour', 'day', 'week', 'month', 'year', 'never'] as const
export const VISIBILITIES = ['unlisted', 'public'] as const
export const LINKS = ['standard', 'short', 'long'] as const
/** By no password, one that is drawn for each document, or one of the person's own. */
export const ENCRYPTIONS = ['none', 'generated', 'own'] as const

/** What the site's form for a new document is filled in with. */
export interface Defaults {
  /** In lower case; `auto` is detected. */
  readonly language: string
  readonly expires: (typeof LIFETIMES)[number]
  readonly visibility: (typeof VISIBILITIES)[number]
  readonly link: (typeof LINKS)[number]
  readonly encryption: (typeof ENCRYPTIONS)[number]
  /** Whether the document is deleted by its first reader. */
  readonly once: boolean
  /** Whether the link's preview shows a picture of it. */
  readonly image: boolean
}

/** What the service does where nobody asks for anything. */
export const SERVICE_DEFAULTS: Defaults = {
  language: 'plaintext',
  expires: 'week',
  visibility: 'unlisted',
  link: 'standard',
  encryption: 'none',
  once: false,
  image: false,
}

/** The one of these choices that a value is; undefined when it is none. */
export const choiceOf = <Choice extends string>(
  choices: readonly Choice[],
  value: unknown,
): Choice | undefined => choices.find((choice) => choice === value)

function parseJson(json: string | null): Partial<Record<keyof Defaults, unknown>> {
  try {
    return JSON.parse(json ?? '{}') ?? {}
  } catch {
    return {}
  }
}

/** Reads what `keepDefaults` wrote, in whatever version of the service. What does not fit is the service's default. */
export function parseDefaults(json: string | null): Defaults {
  const { language, expires, visibility, link, encryption, once, image } = parseJson(json)
  return {
    language: typeof language === 'string' && language !== '' ? language : SERVICE_DEFAULTS.language,
    expires: choiceOf(LIFETIMES, expires) ?? SERVICE_DEFAULTS.expires,
    visibility: choiceOf(VISIBILITIES, visibility) ?? SERVICE_DEFAULTS.visibility,
    link: choiceOf(LINKS, link) ?? SERVICE_DEFAULTS.link,
    encryption: choiceOf(ENCRYPTIONS, encryption) ?? SERVICE_DEFAULTS.encryption,
    once: once === true,
    image: image === true,
  }
}

/** An account's defaults for new documents; the service's where it has none. One query. */
export async function findDefaults(db: Database, userId: string): Promise<Defaults> {
  const row = await db.first<{ defaults: string | null }>([
    'SELECT defaults FROM users WHERE id = ?1',
    userId,
  ])
  return parseDefaults(row?.defaults ?? null)
}

/** Keeps an account's defaults for new documents. Throws AppError `unavailable`. */
export async function keepDefaults(db: Database, userId: string, defaults: Defaults): Promise<void> {
  await db.idempotentBatch([
    ['UPDATE users SET defaults = ?2 WHERE id = ?1', userId, JSON.stringify(defaults)],
  ])
}
