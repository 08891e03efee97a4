/** A shape that a provider documents for its keys: a start, and what follows. */
interface Shape {
  readonly provider: string
  readonly starts: readonly string[]
  /** Is sticky. Each part ends where the next begins, so that nothing is read twice. */
  readonly rest: RegExp
}

const shape = (provider: string, starts: string | readonly string[], rest: RegExp): Shape => ({
  provider,
  starts: typeof starts === 'string' ? [starts] : starts,
  rest,
})

const ANY_ALPHANUMERIC = /[A-Za-z0-9]{20,600}/y
const ALPHANUMERIC_36 = /[A-Za-z0-9]{36,600}/y
const URL_SAFE_20 = /[\w-]{20,600}/y
const HEX_32 = /[0-9a-f]{32}/y
const HEX_40 = /[0-9a-f]{40}/y
const HEX_64 = /[0-9a-f]{64}/y

/** The shapes are from the providers' own documentation, and from the lists of forges that scan for secrets. */
const SHAPES: readonly Shape[] = [
  shape('AWS', ['AKIA', 'ASIA', 'ABIA', 'ACCA'], /[A-Z2-7]{16}/y),
  shape('AWS', 'ABSK', /[A-Za-z0-9+/]{100,400}={0,2}/y),
  shape('GitHub', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], ALPHANUMERIC_36),
  shape('GitHub', 'github_pat_', /[A-Za-z0-9]{22}_[A-Za-z0-9]{59}/y),
  shape(
    'GitLab',
    ['glpat-', 'gldt-', 'glrt-', 'glptt-', 'glcbt-', 'glft-', 'glsoat-', 'glimt-', 'glagent-', 'gloas-'],
    /[\w-]{20,600}(?:\.[\w-]{1,200}){0,2}/y,
  ),
  shape(
    'Slack',
    ['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xoxc-', 'xoxd-', 'xoxo-'],
    /[A-Za-z0-9%-]{20,600}/y,
  ),
  shape('Slack', ['xoxe.xoxp-', 'xoxe.xoxb-', 'xoxe-', 'xapp-'], /[A-Za-z0-9-]{20,600}/y),
  shape(
    'Slack',
    'https://hooks.slack.com/',
    /(?:services|workflows|triggers)\/[A-Z0-9]{8,600}\/[A-Za-z0-9/]{20,600}/y,
  ),
  shape('Stripe', ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'sk_org_live_'], ANY_ALPHANUMERIC),
  shape('Stripe', 'whsec_', /[A-Za-z0-9+/]{24,600}={0,2}/y),
  shape('Anthropic', 'sk-ant-', /[\w-]{40,600}/y),
  shape('OpenRouter', 'sk-or-v1-', HEX_64),
  shape('OpenAI', ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-None-', 'sess-'], /[\w-]{40,600}/y),
  shape('API', 'sk-', /[A-Za-z0-9]{32,600}/y),
  shape('Google', 'AIza', /[\w-]{35}/y),
  shape('Google', 'GOCSPX-', /[\w-]{28}/y),
  shape('Google', ['ya29.', 'AQ.Ab8'], /[\w-]{30,600}(?:\.[\w-]{1,400}){0,2}/y),
  shape('Google', '1//0', /[\w-]{40,600}/y),
  shape('Hugging Face', ['hf_', 'api_org_'], /[A-Za-z]{34}/y),
  shape('Replicate', 'r8_', /[A-Za-z0-9]{37}/y),
  shape('Groq', 'gsk_', /[A-Za-z0-9]{52}/y),
  shape('xAI', 'xai-', /[A-Za-z0-9]{70,600}/y),
  shape('Perplexity', 'pplx-', /[A-Za-z0-9]{40,600}/y),
  shape('LangSmith', ['lsv2_pt_', 'lsv2_sk_'], /[0-9a-f]{32}_[0-9a-f]{10}/y),
  shape('Tavily', ['tvly-'], /[\w-]{24,600}/y),
  shape('Pinecone', 'pcsk_', /\w{40,600}/y),
  shape('npm', 'npm_', /[A-Za-z0-9]{36}/y),
  shape('PyPI', 'pypi-AgE', /[\w-]{50,600}/y),
  shape('RubyGems', 'rubygems_', /[0-9a-f]{48}/y),
  shape('crates.io', 'cio', /[A-Za-z0-9]{32}/y),
  shape('NuGet', 'oy2', /[a-z0-9]{43}/y),
  shape('Docker', ['dckr_pat_', 'dckr_oat_'], URL_SAFE_20),
  shape('DigitalOcean', ['dop_v1_', 'doo_v1_', 'dor_v1_'], HEX_64),
  shape('Heroku', 'HRKU-AA', /[\w-]{58}/y),
  shape('Fly.io', ['fm1_', 'fm2_', 'fo1_'], /[A-Za-z0-9+/_-]{40,2000}={0,3}/y),
  shape('Vercel', ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'], /[A-Za-z0-9]{24,600}/y),
  shape('Netlify', ['nfp_', 'nfo_', 'nfu_', 'nfb_', 'nfc_'], ALPHANUMERIC_36),
  shape('Supabase', 'sbp_', HEX_40),
  shape('Supabase', 'sb_secret_', URL_SAFE_20),
  shape('Neon', 'napi_', /[a-z0-9]{40,600}/y),
  shape('PlanetScale', ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'], /[\w.-]{32,600}/y),
  shape('Databricks', ['dapi', 'dose'], /[0-9a-f]{32}(?:-\d)?/y),
  shape('Vault', ['hvs.', 'hvb.', 'hvr.'], /[\w-]{24,600}/y),
  shape('Pulumi', 'pul-', HEX_40),
  shape('Doppler', ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.', 'dp.scim.', 'dp.audit.'], /[A-Za-z0-9]{40,200}/y),
  shape('Linear', ['lin_api_', 'lin_oauth_'], /[A-Za-z0-9]{32,600}/y),
  shape('Notion', 'ntn_', /[A-Za-z0-9]{40,600}/y),
  shape('Notion', 'secret_', /[A-Za-z0-9]{43}/y),
  shape('Airtable', 'pat', /[A-Za-z0-9]{14}\.[0-9a-f]{64}/y),
  shape('Atlassian', ['ATATT3x', 'ATCTT3x', 'ATSTT3x'], /[\w-]{60,600}(?:=[0-9A-F]{8})?/y),
  shape('Bitbucket', 'ATBB', /[A-Za-z0-9]{32}/y),
  shape('Figma', ['figd_', 'figo_', 'figu_'], /[\w-]{36,600}/y),
  shape('Postman', 'PMAK-', /[0-9a-f]{24}-[0-9a-f]{34}/y),
  shape('New Relic', ['NRAK-', 'NRII-', 'NRAA-'], /[A-Za-z0-9-]{24,600}/y),
  shape('Grafana', 'glsa_', /[A-Za-z0-9]{32}_[0-9a-f]{8}/y),
  shape('Grafana', 'glc_', /[A-Za-z0-9+/]{32,400}={0,3}/y),
  shape('Sentry', ['sntrys_', 'sntryu_'], /[A-Za-z0-9+/_=-]{40,600}/y),
  shape('Dynatrace', ['dt0c01.', 'dt0s01.', 'dt0s02.'], /[A-Z2-7]{8,24}\.[A-Z2-7]{64}/y),
  shape('SendGrid', 'SG.', /[\w-]{22}\.[\w-]{43}/y),
  shape('Mailgun', 'key-', HEX_32),
  shape('Brevo', ['xkeysib-', 'xsmtpsib-'], /[0-9a-f]{64}-[A-Za-z0-9]{16}/y),
  shape('Resend', 're_', /[A-Za-z0-9]{8}_[A-Za-z0-9]{24}/y),
  shape('Twilio', 'SK', HEX_32),
  shape(
    'Discord',
    ['MT', 'Mj', 'Mz', 'ND', 'NT', 'Nj', 'Nz', 'OD', 'OT'],
    /[A-Za-z0-9]{22,26}\.[\w-]{6}\.[\w-]{27,40}/y,
  ),
  shape(
    'Discord',
    [
      'https://discord.com/',
      'https://discordapp.com/',
      'https://canary.discord.com/',
      'https://ptb.discord.com/',
    ],
    /api\/(?:v\d{1,2}\/)?webhooks\/\d{17,20}\/[\w-]{60,600}/y,
  ),
  shape('Shopify', ['shpat_', 'shpca_', 'shppa_', 'shpss_'], /[0-9a-fA-F]{32}/y),
  shape('Square', ['sq0atp-', 'sq0csp-', 'sq0idp-'], /[\w-]{22,600}/y),
  shape('Square', 'EAAA', /[\w-]{60}/y),
  shape('Facebook', 'EAA', /[A-Za-z0-9]{80,600}/y),
  shape('Braintree', 'access_token$production$', /[0-9a-z]{16}\$[0-9a-f]{32}/y),
  shape('Alibaba', 'LTAI', /[A-Za-z0-9]{12,24}/y),
  shape('Tencent', 'AKID', /[A-Za-z0-9]{32}/y),
  shape('age', 'AGE-SECRET-KEY-1', /[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}/y),
  shape('1Password', 'ops_eyJ', /[A-Za-z0-9+/_=-]{100,2000}/y),
  shape(
    'Tailscale',
    ['tskey-auth-', 'tskey-api-', 'tskey-client-', 'tskey-scim-'],
    /[A-Za-z0-9]{8,600}-[A-Za-z0-9]{20,600}/y,
  ),
  shape('Mapbox', ['sk.eyJ', 'tk.eyJ'], /[\w-]{20,400}\.[\w-]{20,600}/y),
  shape('Contentful', 'CFPAT-', /[\w-]{40,600}/y),
  shape('Sourcegraph', ['sgp_', 'sgp_local_'], HEX_40),
  shape('SonarQube', ['squ_', 'sqp_', 'sqa_'], HEX_40),
  shape('Cloudflare', ['cfut_', 'cfat_', 'cfk_', 'cf_at_'], /[A-Za-z0-9_-]{40,600}/y),
  shape('Buildkite', ['bkua_', 'bkat_'], HEX_40),
  shape('CircleCI', ['CCIPAT_', 'CCIPRJ_'], /[A-Za-z0-9]{20,600}_[0-9a-f]{40}/y),
  shape('Adafruit', 'aio_', /[A-Za-z0-9]{28}/y),
  shape('Typeform', 'tfp_', /[\w-]{40,600}/y),
  shape('ReadMe', 'rdme_', /[a-z0-9]{60,600}/y),
  shape('LaunchDarkly', ['sdk-', 'api-'], /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/y),
  shape('Regent', 'imperial_', /[A-Za-z0-9]{40}/y),
  shape('JWT', 'eyJ', /[\w-]{10,4096}\.eyJ[\w-]{10,8192}\.[\w-]{16,2048}/y),
]

/** Shapes by the first two characters of their start. */
const INDEX: { readonly start: string; readonly shape: Shape }[][] = Array.from({ length: 128 * 128 })

const toIndex = (first: number, second: number): number => first * 128 + second

for (const shape of SHAPES) {
  for (const start of shape.starts) {
    const index = toIndex(start.charCodeAt(0), start.charCodeAt(1))
    const others = INDEX[index]
    if (others) others.push({ start, shape })
    else INDEX[index] = [{ start, shape }]
  }
}
// A longer start says more: "sk-ant-" comes before "sk-".
for (const entries of INDEX) entries?.sort((one, other) => other.start.length - one.start.length)

const isWordCode = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95

interface ProviderKey {
  readonly to: number
  /** The place where the provider's start ends. */
  readonly randomFrom: number
  readonly provider: string
}

/** Returns the key that starts at a place in a text, or null. */
export function matchProvider(text: string, at: number): ProviderKey | null {
  const entries = INDEX[toIndex(text.charCodeAt(at), text.charCodeAt(at + 1))]
  if (entries === undefined) return null
  for (const { start, shape } of entries) {
    if (!text.startsWith(start, at)) continue
    const { rest, provider } = shape
    const randomFrom = at + start.length
    rest.lastIndex = randomFrom
    if (rest.test(text) && !isWordCode(text.charCodeAt(rest.lastIndex)))
      return { to: rest.lastIndex, randomFrom, provider }
  }
  return null
}
