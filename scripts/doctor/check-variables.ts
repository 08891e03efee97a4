import { ConfigError, type Plan, SECRETS } from '../../src/config.ts'
import { isLoopback } from '../../src/platform/addresses.ts'
import { listUnknown, parseVariables, type Variables } from '../support/config.ts'
import { advice, type Finding, ok, problem } from './finding.ts'

function checkValues(variables: Variables): Finding[] {
  try {
    parseVariables(variables, null)
    return [ok('Variables: all values are valid')]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.mistakes.map((mistake) => problem(`${mistake}.`, 'Correct it in regent.toml, under [vars].'))
  }
}

const checkNames = (variables: Variables): Finding[] =>
  listUnknown(variables).map((name) =>
    advice(`${name} is not a variable of Regent.`, 'Check its spelling, or remove it.'),
  )

/** The client id of GitHub isn't secret. It's one of the secrets so that it can be set beside its secret. */
const checkSecrets = (variables: Variables): Finding[] =>
  SECRETS.filter((name) => name !== 'GITHUB_CLIENT_ID' && variables[name]).map((name) =>
    problem(
      `${name} is in the configuration, which isn't a place for secrets.`,
      `Remove it there, make a new one, and run: npx wrangler secret put ${name}`,
    ),
  )

/**
 * What each plan gives. Free: KV's 1,000 writes a day, less 25 for cleanup, and its 1 GB; D1's 500 MB. Paid: D1's 10 GB.
 * A document takes about 200 bytes in D1.
 */
const PLAN_BOUNDS = {
  free: { SERVER_MAX_DOCUMENTS: 2_500_000, SERVER_MAX_BYTES: 1_000_000_000, SERVER_MAX_CREATES_PER_DAY: 975 },
  paid: { SERVER_MAX_DOCUMENTS: 50_000_000 },
} as const satisfies Record<Plan, Readonly<Record<string, number>>>

/** Compares the quotas that are set with what the plan gives. */
function checkQuotas(variables: Variables): Finding[] {
  const plan = variables.PLAN === 'free' ? 'free' : 'paid'
  const findings = Object.entries(PLAN_BOUNDS[plan]).flatMap(([name, bound]) => {
    const value = variables[name] ?? ''
    if (value === '' || (value !== '0' && Number(value) <= bound)) return []
    const allows = value === '0' ? 'sets no limit' : `allows ${value}`
    return [
      advice(
        `${name} ${allows}, but the ${plan} plan ends at ${bound}.`,
        'Leave it empty to get the quota that fits the plan.',
      ),
    ]
  })
  if (!variables.PLAN) {
    const text = 'PLAN is empty, so the quotas are those of the paid plan.'
    findings.push(advice(text, 'Set PLAN = "free" or "paid", as your Cloudflare account has it.'))
  }
  if (findings.length > 0) return findings
  return [ok(`Plan: ${plan}, quotas fit it`)]
}

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
      'Add [[send_email]] with name = "EMAIL" to regent.toml.',
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

/** Checks the variables. */
export const checkVariables = (variables: Variables, emailBinding: boolean): Finding[] => [
  ...checkValues(variables),
  ...checkNames(variables),
  ...checkSecrets(variables),
  ...checkQuotas(variables),
  checkSiteUrl(variables),
  checkMail(variables, emailBinding),
  ...checkOperator(variables),
]
