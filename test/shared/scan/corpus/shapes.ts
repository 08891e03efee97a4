/** Made-up values with the shapes that providers document. They are put together here, so that no file contains one. */
const DIGITS = '0123456789'
const HEX = '0123456789abcdef'
const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const UPPER = LOWER.toUpperCase()
const LETTERS = LOWER + UPPER
const ALPHANUMERIC = LETTERS + DIGITS
const URL_SAFE = `${ALPHANUMERIC}-_`
const BASE64 = `${ALPHANUMERIC}+/`
const BASE32 = `${UPPER}234567`

/** Returns the same numbers, from 0 to 1, in each run (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}

type Random = () => number

const pick = (random: Random, characters: string): string =>
  characters[Math.floor(random() * characters.length)] ?? ''

const draw = (random: Random, characters: string, count: number): string =>
  Array.from({ length: count }, () => pick(random, characters)).join('')

const number = (random: Random, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1))

const encode = (text: string): string => Buffer.from(text).toString('base64url')

const lines = (text: string, width: number): string =>
  (text.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join('\n')

/** Returns an uppercase letter, a lowercase letter, a digit and a sign in any order, among others. */
function drawPassword(random: Random, length: number): string {
  const others = draw(random, `${ALPHANUMERIC}!#%*+-_?`, length - 4)
  const all = [
    ...others,
    pick(random, UPPER),
    pick(random, LOWER),
    pick(random, DIGITS),
    pick(random, '!%*+?'),
  ]
  for (let at = all.length - 1; at > 0; at--) {
    const other = number(random, 0, at)
    ;[all[at], all[other]] = [all[other] ?? '', all[at] ?? '']
  }
  return all.join('')
}

function drawCard(random: Random, prefix: string, length: number): string {
  const digits = (prefix + draw(random, DIGITS, length - prefix.length - 1)).split('').map(Number)
  const sum = digits.toReversed().reduce((total, digit, at) => {
    const doubled = at % 2 === 0 ? digit * 2 : digit
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return [...digits, (10 - (sum % 10)) % 10].join('')
}

const octet = (random: Random): number => number(random, 11, 250)

const drawUuid = (random: Random): string =>
  [8, 4, 4, 4, 12].map((count) => draw(random, HEX, count)).join('-')

const drawPem = (random: Random, label: string, size: number): string =>
  [`-----BEGIN ${label}-----`, lines(draw(random, BASE64, size), 64), `-----END ${label}-----`].join('\n')

/** Secrets whose provider documents their shape. */
export const KNOWN_SECRETS: Readonly<Record<string, (random: Random) => string>> = {
  'aws-id': (r) => `AKIA${draw(r, BASE32, 16)}`,
  'aws-temporary': (r) => `ASIA${draw(r, BASE32, 16)}`,
  'aws-secret': (r) => draw(r, BASE64, 40),
  github: (r) => `ghp_${draw(r, ALPHANUMERIC, 36)}`,
  'github-app': (r) => `ghs_${draw(r, ALPHANUMERIC, 36)}`,
  'github-oauth': (r) => `gho_${draw(r, ALPHANUMERIC, 36)}`,
  'github-fine': (r) => `github_pat_${draw(r, ALPHANUMERIC, 22)}_${draw(r, ALPHANUMERIC, 59)}`,
  gitlab: (r) => `glpat-${draw(r, URL_SAFE, 20)}`,
  'gitlab-runner': (r) => `glrt-${draw(r, URL_SAFE, 20)}`,
  'gitlab-deploy': (r) => `gldt-${draw(r, URL_SAFE, 20)}`,
  'slack-bot': (r) => `xoxb-${draw(r, DIGITS, 12)}-${draw(r, DIGITS, 13)}-${draw(r, ALPHANUMERIC, 24)}`,
  'slack-user': (r) =>
    `xoxp-${draw(r, DIGITS, 12)}-${draw(r, DIGITS, 12)}-${draw(r, DIGITS, 13)}-${draw(r, HEX, 32)}`,
  'slack-app': (r) => `xapp-1-A${draw(r, UPPER + DIGITS, 10)}-${draw(r, DIGITS, 13)}-${draw(r, HEX, 64)}`,
  'slack-hook': (r) =>
    `https://hooks.slack.com/services/T${draw(r, UPPER + DIGITS, 10)}/B${draw(r, UPPER + DIGITS, 10)}/${draw(r, ALPHANUMERIC, 24)}`,
  stripe: (r) => `sk_live_${draw(r, ALPHANUMERIC, 24)}`,
  'stripe-long': (r) => `sk_live_${draw(r, ALPHANUMERIC, 99)}`,
  'stripe-test': (r) => `sk_test_${draw(r, ALPHANUMERIC, 24)}`,
  'stripe-restricted': (r) => `rk_live_${draw(r, ALPHANUMERIC, 24)}`,
  'stripe-hook': (r) => `whsec_${draw(r, ALPHANUMERIC, 32)}`,
  openai: (r) => `sk-${draw(r, ALPHANUMERIC, 20)}T3BlbkFJ${draw(r, ALPHANUMERIC, 20)}`,
  'openai-project': (r) => `sk-proj-${draw(r, URL_SAFE, 74)}T3BlbkFJ${draw(r, URL_SAFE, 74)}`,
  anthropic: (r) => `sk-ant-api03-${draw(r, URL_SAFE, 93)}AA`,
  'anthropic-admin': (r) => `sk-ant-admin01-${draw(r, URL_SAFE, 93)}AA`,
  openrouter: (r) => `sk-or-v1-${draw(r, HEX, 64)}`,
  deepseek: (r) => `sk-${draw(r, HEX, 32)}`,
  google: (r) => `AIza${draw(r, URL_SAFE, 35)}`,
  'google-client': (r) => `GOCSPX-${draw(r, URL_SAFE, 28)}`,
  'google-access': (r) => `ya29.a0${draw(r, URL_SAFE, 160)}`,
  'google-refresh': (r) => `1//0${draw(r, URL_SAFE, 60)}`,
  huggingface: (r) => `hf_${draw(r, LETTERS, 34)}`,
  replicate: (r) => `r8_${draw(r, ALPHANUMERIC, 37)}`,
  groq: (r) => `gsk_${draw(r, ALPHANUMERIC, 52)}`,
  xai: (r) => `xai-${draw(r, ALPHANUMERIC, 80)}`,
  perplexity: (r) => `pplx-${draw(r, ALPHANUMERIC, 48)}`,
  npm: (r) => `npm_${draw(r, ALPHANUMERIC, 36)}`,
  pypi: (r) => `pypi-AgEIcHlwaS5vcmc${draw(r, URL_SAFE, 140)}`,
  rubygems: (r) => `rubygems_${draw(r, HEX, 48)}`,
  docker: (r) => `dckr_pat_${draw(r, URL_SAFE, 27)}`,
  digitalocean: (r) => `dop_v1_${draw(r, HEX, 64)}`,
  heroku: (r) => `HRKU-AA${draw(r, URL_SAFE, 58)}`,
  netlify: (r) => `nfp_${draw(r, ALPHANUMERIC, 36)}`,
  supabase: (r) => `sbp_${draw(r, HEX, 40)}`,
  planetscale: (r) => `pscale_tkn_${draw(r, URL_SAFE, 43)}`,
  databricks: (r) => `dapi${draw(r, HEX, 32)}`,
  terraform: (r) => `${draw(r, ALPHANUMERIC, 14)}.atlasv1.${draw(r, URL_SAFE, 67)}`,
  vault: (r) => `hvs.${draw(r, URL_SAFE, 95)}`,
  pulumi: (r) => `pul-${draw(r, HEX, 40)}`,
  doppler: (r) => `dp.pt.${draw(r, ALPHANUMERIC, 43)}`,
  linear: (r) => `lin_api_${draw(r, ALPHANUMERIC, 40)}`,
  notion: (r) => `ntn_${draw(r, DIGITS, 11)}${draw(r, ALPHANUMERIC, 35)}`,
  airtable: (r) => `pat${draw(r, ALPHANUMERIC, 14)}.${draw(r, HEX, 64)}`,
  atlassian: (r) => `ATATT3xFfGF0${draw(r, URL_SAFE, 170)}=${draw(r, HEX.toUpperCase(), 8)}`,
  bitbucket: (r) => `ATBB${draw(r, ALPHANUMERIC, 24)}${draw(r, HEX.toUpperCase(), 8)}`,
  figma: (r) => `figd_${draw(r, URL_SAFE, 40)}`,
  postman: (r) => `PMAK-${draw(r, HEX, 24)}-${draw(r, HEX, 34)}`,
  'new-relic': (r) => `NRAK-${draw(r, UPPER + DIGITS, 27)}`,
  grafana: (r) => `glsa_${draw(r, ALPHANUMERIC, 32)}_${draw(r, HEX, 8)}`,
  'grafana-cloud': (r) => `glc_eyJ${draw(r, BASE64, 80)}=`,
  sentry: (r) => `sntryu_${draw(r, HEX, 64)}`,
  dynatrace: (r) => `dt0c01.${draw(r, BASE32, 24)}.${draw(r, BASE32, 64)}`,
  sendgrid: (r) => `SG.${draw(r, URL_SAFE, 22)}.${draw(r, URL_SAFE, 43)}`,
  mailgun: (r) => `key-${draw(r, HEX, 32)}`,
  mailchimp: (r) => `${draw(r, HEX, 32)}-us${number(r, 1, 21)}`,
  brevo: (r) => `xkeysib-${draw(r, HEX, 64)}-${draw(r, ALPHANUMERIC, 16)}`,
  resend: (r) => `re_${draw(r, ALPHANUMERIC, 8)}_${draw(r, ALPHANUMERIC, 24)}`,
  twilio: (r) => `SK${draw(r, HEX, 32)}`,
  discord: (r) => `MT${draw(r, ALPHANUMERIC, 24)}.G${draw(r, ALPHANUMERIC, 5)}.${draw(r, URL_SAFE, 38)}`,
  'discord-hook': (r) =>
    `https://discord.com/api/webhooks/${draw(r, '123456789', 18)}/${draw(r, URL_SAFE, 68)}`,
  telegram: (r) => `${draw(r, '123456789', 10)}:AA${draw(r, URL_SAFE, 33)}`,
  shopify: (r) => `shpat_${draw(r, HEX, 32)}`,
  square: (r) => `sq0atp-${draw(r, URL_SAFE, 22)}`,
  'square-long': (r) => `EAAA${draw(r, URL_SAFE, 60)}`,
  'azure-storage': (r) => `${draw(r, BASE64, 86)}==`,
  'azure-client': (r) => `${draw(r, ALPHANUMERIC, 3)}8Q~${draw(r, URL_SAFE, 34)}`,
  alibaba: (r) => `LTAI${draw(r, ALPHANUMERIC, 20)}`,
  age: (r) => `AGE-SECRET-KEY-1${draw(r, 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)}`,
  '1password': (r) => `ops_eyJ${draw(r, URL_SAFE, 300)}`,
  tailscale: (r) => `tskey-auth-k${draw(r, ALPHANUMERIC, 12)}CNTRL-${draw(r, ALPHANUMERIC, 32)}`,
  mapbox: (r) => `sk.eyJ${draw(r, URL_SAFE, 80)}.${draw(r, URL_SAFE, 22)}`,
  contentful: (r) => `CFPAT-${draw(r, URL_SAFE, 43)}`,
  sourcegraph: (r) => `sgp_${draw(r, HEX, 40)}`,
  sonarqube: (r) => `squ_${draw(r, HEX, 40)}`,
  cloudflare: (r) => `cfut_${draw(r, ALPHANUMERIC, 48)}`,
  regent: (r) => `imperial_${draw(r, ALPHANUMERIC, 40)}`,
  jwt: (r) =>
    [
      encode(JSON.stringify({ alg: 'HS256', typ: 'JWT' })),
      encode(JSON.stringify({ sub: draw(r, HEX, 12), iat: number(r, 1.7e9, 1.8e9), role: 'admin' })),
      draw(r, URL_SAFE, 43),
    ].join('.'),
  'rsa-key': (r) => drawPem(r, 'RSA PRIVATE KEY', 800),
  'ssh-key': (r) => drawPem(r, 'OPENSSH PRIVATE KEY', 400),
  'pkcs8-key': (r) => drawPem(r, 'PRIVATE KEY', 700),
  'ec-key': (r) => drawPem(r, 'EC PRIVATE KEY', 160),
  'pgp-key': (r) =>
    `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${lines(draw(r, BASE64, 900), 64)}\n=${draw(r, BASE64, 4)}\n-----END PGP PRIVATE KEY BLOCK-----`,
  'key-on-one-line': (r) =>
    `-----BEGIN PRIVATE KEY-----\\n${draw(r, BASE64, 64)}\\n${draw(r, BASE64, 64)}\\n${draw(r, BASE64, 20)}\\n-----END PRIVATE KEY-----`,
}

/** Secrets that only what is around them gives away. */
export const OTHER_SECRETS: Readonly<Record<string, (random: Random) => string>> = {
  password: (r) => drawPassword(r, 12),
  'short-password': (r) => drawPassword(r, 8),
  'long-password': (r) => drawPassword(r, 24),
  'letters-and-digits': (r) => `${draw(r, ALPHANUMERIC, 18)}${pick(r, DIGITS)}${pick(r, LOWER)}`,
  token: (r) => draw(r, URL_SAFE, 43),
  'hex-32': (r) => draw(r, HEX, 32),
  'hex-64': (r) => draw(r, HEX, 64),
  'uuid-key': drawUuid,
  'base64-32': (r) => `${draw(r, BASE64, 43)}=`,
  'session-id': (r) => draw(r, ALPHANUMERIC, 32),
  'basic-credentials': (r) => Buffer.from(`${draw(r, LOWER, 6)}:${drawPassword(r, 12)}`).toString('base64'),
}

const given = ['mara', 'jonas', 'aylin', 'tomasz', 'ines', 'kwame', 'yuki', 'priya', 'olek', 'linnea']
const family = ['keller', 'okafor', 'novak', 'silva', 'tanaka', 'moreau', 'lindqvist', 'haddad']
const from = (random: Random, values: readonly string[]): string =>
  values[number(random, 0, values.length - 1)] ?? ''

export const PERSONAL: Readonly<Record<string, (random: Random) => string>> = {
  email: (r) =>
    `${from(r, given)}.${from(r, family)}@${from(r, family)}-${draw(r, LOWER, 4)}.${from(r, ['com', 'de', 'org', 'io', 'co.uk'])}`,
  'email-tag': (r) => `${from(r, given)}+${draw(r, LOWER, 5)}@gmail.com`,
  ipv4: (r) =>
    `${from(r, ['81', '93', '145', '178', '188', '212', '217'])}.${octet(r)}.${octet(r)}.${octet(r)}`,
  ipv6: (r) =>
    `2a0${draw(r, '1234', 1)}:${draw(r, HEX, 3)}:${[1, 2, 3, 4, 5, 6].map(() => draw(r, `${HEX.slice(1)}`, 4)).join(':')}`,
  'ipv6-short': (r) =>
    `2a0${draw(r, '1234', 1)}:${draw(r, '123456789abcdef', 4)}::${draw(r, '123456789abcdef', 4)}`,
  mac: (r) => `3c:${Array.from({ length: 5 }, () => draw(r, HEX, 2)).join(':')}`,
  'mac-dashes': (r) => `A4-${Array.from({ length: 5 }, () => draw(r, HEX.toUpperCase(), 2)).join('-')}`,
  user: (r) => `${from(r, given)}${from(r, ['', '.', ''])}${from(r, family)}`,
  phone: (r) => `+49 ${from(r, ['151', '160', '171', '30'])} ${draw(r, '23456789', 8)}`,
  'phone-us': (r) => `+1 (${from(r, ['212', '415', '646'])}) ${draw(r, '23456789', 3)}-${draw(r, DIGITS, 4)}`,
  'phone-plain': (r) => `+44${from(r, ['7700', '7911', '2071'])}${draw(r, '23456789', 6)}`,
  visa: (r) => drawCard(r, `4${draw(r, '123456789', 1)}`, 16),
  'visa-spaces': (r) => (drawCard(r, `4${draw(r, '123456789', 1)}`, 16).match(/.{4}/g) ?? []).join(' '),
  mastercard: (r) => drawCard(r, `5${draw(r, '12345', 1)}`, 16),
  amex: (r) => drawCard(r, '37', 15),
}

/** Ordinary strings that look like secrets. */
export const ORDINARY: Readonly<Record<string, (random: Random) => string>> = {
  md5: (r) => draw(r, HEX, 32),
  sha1: (r) => draw(r, HEX, 40),
  sha256: (r) => draw(r, HEX, 64),
  sha512: (r) => draw(r, HEX, 128),
  short: (r) => draw(r, HEX, 7),
  uuid: drawUuid,
  ulid: (r) => `01J${draw(r, '0123456789ABCDEFGHJKMNPQRSTVWXYZ', 23)}`,
  nanoid: (r) => draw(r, URL_SAFE, 21),
  integrity: (r) => `sha512-${draw(r, BASE64, 86)}==`,
  go: (r) => `h1:${draw(r, BASE64, 43)}=`,
  base64: (r) => draw(r, BASE64, 400),
  base64lines: (r) => lines(draw(r, BASE64, 1200), 76),
  png: (r) => `data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA${draw(r, BASE64, 600)}`,
  svg: (r) => `data:image/svg+xml;base64,PHN2Zy${draw(r, BASE64, 300)}`,
  font: (r) => `data:font/woff2;base64,d09GMgABAAAAA${draw(r, BASE64, 500)}`,
  fingerprint: (r) => Array.from({ length: 20 }, () => draw(r, HEX.toUpperCase(), 2)).join(':'),
  'ssh-public': (r) => `AAAAC3NzaC1lZDI1NTE5AAAAI${draw(r, BASE64, 43)}`,
  'rsa-public': (r) => `AAAAB3NzaC1yc2EAAAADAQABAAABgQ${draw(r, BASE64, 500)}`,
  digits: (r) => draw(r, '123456789', 16),
  'long-digits': (r) => draw(r, '123456789', 24),
  letters: (r) => draw(r, ALPHANUMERIC, 40),
  bcrypt: (r) => `$2b$12$${draw(r, ALPHANUMERIC, 53)}`,
  certificate: (r) => drawPem(r, 'CERTIFICATE', 900),
  'public-key': (r) => drawPem(r, 'PUBLIC KEY', 360),
}
