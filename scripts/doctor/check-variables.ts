import { parseConfig } from '../../src/config.ts'
import { isLoopback } from '../../src/platform/loopback.ts'
import { advice, type Finding, ok, problem } from './finding.ts'

export type Variables = Readonly<Record<string, string>>

type ConfigVariables = Parameters<typeof parseConfig>[0]

/** Values that the Worker accepts, for the variables that it needs. */
const VALID: ConfigVariables = {
  MAX_CONTENT_BYTES: '1000',
  ANONYMOUS_SETTINGS: 'refuse',
  STORAGE_TIMEOUT_MS: '1000',
}

const getMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Checks each variable on its own, because the Worker stops at the first invalid one. */
function checkValues(variables: Variables): Finding[] {
  const findings = Object.entries(variables).flatMap(([name, value]) => {
    try {
      parseConfig({ ...VALID, [name]: value })
      return []
    } catch (error) {
      return [problem(`${getMessage(error)}.`, 'Correct it in wrangler.toml, under [vars].')]
    }
  })
  return findings.length === 0 ? [ok('Variables: all values are valid')] : findings
}

/** Returns the names of the variables that the Worker reads. */
function listKnownNames(): ReadonlySet<string> {
  const names = new Set<string>()
  const reading = new Proxy(VALID, {
    get: (target, name) => {
      names.add(String(name))
      return Reflect.get(target, name)
    },
  })
  parseConfig(reading)
  return names
}

function checkNames(variables: Variables): Finding[] {
  const known = listKnownNames()
  const unknown = Object.keys(variables).filter((name) => !known.has(name))
  return unknown.map((name) =>
    advice(`${name} is not a variable of Regent.`, 'Check its spelling, or remove it from wrangler.toml.'),
  )
}

const SECRETS = ['AUTH_SECRET', 'GITHUB_CLIENT_SECRET']

const checkSecrets = (variables: Variables): Finding[] =>
  SECRETS.filter((name) => variables[name]).map((name) =>
    problem(
      `${name} is in wrangler.toml, where everyone with the repository can read it.`,
      `Remove it there, make a new one, and run: npx wrangler secret put ${name}`,
    ),
  )

/** Returns true if the service sends email. `terminal` is for development. */
export const sendsMail = ({ MAIL_FROM = '' }: Variables): boolean =>
  MAIL_FROM !== '' && MAIL_FROM !== 'terminal'

function checkSiteUrl(variables: Variables): Finding {
  const url = variables.SITE_URL ?? ''
  if (url === '') {
    const fix = 'Set SITE_URL to the address of the site, such as "https://paste.example.org".'
    return sendsMail(variables)
      ? problem('SITE_URL is empty, so links in emails lead to whichever address a request came for.', fix)
      : advice("SITE_URL is empty: links use each request's own address.", fix)
  }
  if (!url.startsWith('https://') && !isLoopback(url.replace(/\/+$/, ''))) {
    return problem(
      `SITE_URL does not start with https://: ${url}`,
      'Browsers keep no sessions without https.',
    )
  }
  return ok(`SITE_URL: ${url}`)
}

function checkMail(variables: Variables, emailBinding: boolean): Finding {
  if (sendsMail(variables)) {
    if (emailBinding) return ok(`Email: from ${variables.MAIL_FROM}`)
    return problem(
      'MAIL_FROM is set, but there is no binding EMAIL, so no emails are sent.',
      'Uncomment [[send_email]] with name = "EMAIL" in wrangler.toml.',
    )
  }
  if (variables.MAIL_FROM === 'terminal') {
    return problem(
      'MAIL_FROM is "terminal", which sends no emails on a deployed server.',
      'Set it to the sender, or to "".',
    )
  }
  return emailBinding
    ? advice('There is a binding EMAIL, but MAIL_FROM is empty, so no emails are sent.', 'Set MAIL_FROM.')
    : advice('Email is off: nobody can sign in by email.', 'See "Sign-in" in docs/operating.md.')
}

function checkOperator({ CONTACT_EMAIL, ABUSE_EMAIL, RATE_LIMITS }: Variables): Finding[] {
  return [
    CONTACT_EMAIL || ABUSE_EMAIL
      ? ok(`Contact: ${ABUSE_EMAIL || CONTACT_EMAIL}`)
      : advice('People have no address for reports of abuse.', 'Set CONTACT_EMAIL or ABUSE_EMAIL.'),
    ...(RATE_LIMITS === 'off'
      ? [problem('RATE_LIMITS is "off": nothing limits scanning, guessing and spam.', 'Set it to "on".')]
      : []),
  ]
}

/** Checks the variables of `wrangler.toml`. */
export const checkVariables = (variables: Variables, emailBinding: boolean): Finding[] => [
  ...checkValues(variables),
  ...checkNames(variables),
  ...checkSecrets(variables),
  checkSiteUrl(variables),
  checkMail(variables, emailBinding),
  ...checkOperator(variables),
]
