import { html, raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { LINK_LIFETIME_SECONDS } from '../../accounts/sign-in/links.ts'
import type { Config, Operator } from '../../config.ts'
import type { AppContext } from '../../env.ts'
import { ADDRESS_RETENTION_DAYS, REMOVAL_TITLE_RETENTION_DAYS } from '../../moderation/delete-expired.ts'
import { AUDIT_RETENTION_DAYS } from '../../platform/audit-log.ts'
import { HOST_PLACEHOLDER } from '../../reference/examples.ts'
import { DEFAULT_EXPIRY_DAYS } from '../../shared/expiry.ts'
import { formatSize } from '../../shared/format.ts'
import { REFERENCE, REFERENCE_STYLES, SCRIPTS } from '../../ui/assets.generated.ts'
import { Layout } from '../../ui/layout.tsx'
import { previewPage } from '../../ui/link-preview.tsx'
import { Snippet } from '../../ui/snippet.tsx'

interface ArticleProps {
  readonly title: string
  readonly scripts?: readonly string[]
  readonly path: string
  readonly lead: string
  readonly children: Child
}

const Article = ({ title, scripts = [], path, lead, children }: ArticleProps) => (
  <Layout title={title} scripts={scripts} preview={previewPage(title, lead, path)}>
    <article class="article">
      <h1>{title}</h1>
      <p class="lead">{lead}</p>
      {children}
    </article>
  </Layout>
)

const Email = ({ address }: { address: string }) => <a href={`mailto:${address}`}>{address}</a>

/** Returns the operator's name, with a link to their site. Without a name, the pages say “we”, as everywhere else. */
const getOperatorName = ({ name, url }: Operator): Child =>
  url === null ? name && <bdi>{name}</bdi> : <a href={url}>{name ?? url}</a>

const Contact = ({ operator: { contactEmail, url } }: { operator: Operator }) => {
  if (contactEmail !== null)
    return (
      <p>
        Write to <Email address={contactEmail} />.
      </p>
    )
  return url === null ? (
    <p>There’s no public email address for this server.</p>
  ) : (
    <p>
      You can reach us through <a href={url}>our website</a>.
    </p>
  )
}

/** Tells whether there is anybody to write to. */
const hasContact = ({ contactEmail, url }: Operator): boolean => (contactEmail ?? url) !== null

const AbuseContact = ({ operator: { abuseEmail } }: { operator: Operator }) => (
  <p>
    To report a document, use “Report” on its page. You don’t need an account.{' '}
    <a href="/abuse">What happens then</a>.
    {abuseEmail !== null && (
      <>
        {' '}
        You can also write to <Email address={abuseEmail} />.
      </>
    )}
  </p>
)

interface PageProps {
  readonly config: Config
  readonly siteUrl: string
}

/** Returns `paste.example.org`, for example. */
const getHost = (siteUrl: string): string => new URL(siteUrl).host

/** The page of a small document has this size in a test. */
const SMALL_PAGE = '20 KB'

const Numbers = ({ maxContentBytes }: Pick<Config, 'maxContentBytes'>) => (
  <dl class="figures row">
    {[
      [formatSize(maxContentBytes).replace('.0', ''), 'fit into one document, and open at once'],
      [SMALL_PAGE, 'for the whole page of a short text, with its scripts'],
      ['0', 'ads, trackers and other sites that pages load from'],
    ].map(([number, words]) => (
      <div class="card">
        <dt>{number}</dt>
        <dd>{words}</dd>
      </div>
    ))}
  </dl>
)

/** Has no name of the site, which an operator may have changed. */
const Picture = () => (
  <picture>
    <source srcset="/assets/about-dark.webp" media="(prefers-color-scheme: dark)" />
    <img
      class="about-picture"
      src="/assets/about-light.webp"
      alt="A log of a server: its errors and warnings have colours, and a bar filters them by level."
      width={960}
      height={480}
    />
  </picture>
)

export const AboutPage = ({
  config: { anonymousDocuments, maxContentBytes, operator, site },
  siteUrl,
}: PageProps) => (
  <Article
    title="About"
    path="/about"
    lead={`${site.name} shares text by link: code, logs, notes and secrets. Paste, share, done.`}
    scripts={[SCRIPTS.form]}
  >
    <Picture />
    <Numbers maxContentBytes={maxContentBytes} />
    <h2>What it does</h2>
    <ul>
      <li>
        <strong>Made for code and logs.</strong> Documents have highlighting, links to lines, search and
        rendered Markdown.
      </li>
      <li>
        <strong>Private when you want it.</strong> Protect a document with a password, and your browser
        encrypts it: the server never sees the text. Or have it deleted after the first read.
      </li>
      <li>
        <strong>Gone when you say so.</strong> You choose when a document expires, or delete it yourself.
      </li>
      <li>
        <strong>Without JavaScript, too.</strong> You can read, share and edit.
      </li>
      <li>
        <strong>For programs, too.</strong> Share from a terminal, or use <a href="/docs">the API</a>.
      </li>
    </ul>
    {anonymousDocuments === 'allow' && (
      <Snippet id="share" title="Share a file, and get its link">
        {`curl -T main.py ${siteUrl}/`}
      </Snippet>
    )}
    <h2 id="operator">{getOperatorName(operator) ? 'Who runs it' : 'The software'}</h2>
    <p>
      {getOperatorName(operator) && (
        <>
          {getOperatorName(operator)} runs {getHost(siteUrl)}.{' '}
        </>
      )}
      This site runs on Regent, free software that anyone can run. It includes{' '}
      <a href="/assets/licences.txt">other free software</a>.
    </p>
    <h2 id="contact">Contact</h2>
    <Contact operator={operator} />
    <h2 id="abuse">Report abuse</h2>
    <AbuseContact operator={operator} />
    <p>
      See also <a href="/privacy">what we store</a> and <a href="/terms">what you may share</a>.
    </p>
  </Article>
)

/** Says what becomes of a document that staff removed. */
const describeKept = (removalDays: number): string =>
  removalDays === 0
    ? 'Its text is deleted within minutes, and from the storage’s caches within a day.'
    : `We keep it for ${removalDays} days, so that we can undo a mistake, but never longer than until it would have expired. Nobody can read it meanwhile, and it goes at once if its author deletes it or their account.`

export const AbusePage = ({ config: { operator, removalDays } }: PageProps) => (
  <Article
    title="Report abuse"
    path="/abuse"
    lead="Tell us about documents that break the terms or the law. You don’t need an account."
  >
    <h2 id="how">How to report</h2>
    <ul>
      <li>
        <strong>One document:</strong> open it and choose “Report”, or add <code>/report</code> to its
        address. If you can’t open it, for example because it needs a password, this works too.
      </li>
      <li>
        <strong>Many documents, or something else:</strong>{' '}
        {operator.abuseEmail === null ? (
          'report each document on its page.'
        ) : (
          <>
            write to <Email address={operator.abuseEmail} /> with the addresses of the documents.
          </>
        )}
      </li>
    </ul>
    <p>
      Say what is wrong, and where in the document. Don’t send us illegal images or other people’s passwords:
      the address of the document is enough. A report made here doesn’t say who you are.
    </p>
    <h2 id="next">What happens then</h2>
    <ol>
      <li>We read every report. Reports of the same document are counted together.</li>
      <li>
        If a document breaks the <a href="/terms">terms</a>, we remove it. Nobody can open it from that
        moment. {describeKept(removalDays)}
      </li>
      <li>The author can see that it was removed, and why, but not who reported it.</li>
      <li>
        We can refuse the same text, links to a site, an account or a network from then on. We can’t read
        encrypted documents, so we can’t recognize their text.
      </li>
    </ol>
    <h2 id="time">How long it takes</h2>
    <p>
      People decide, not programs, so it takes hours to days. Malware, phishing and threats to somebody’s
      safety come first. If somebody is in danger now, call the police.
    </p>
    <h2 id="appeal">If we removed your document</h2>
    <p>
      If you’re signed in, the address of the document and “Your documents” say why.
      {hasContact(operator) &&
        ' If you think it’s a mistake, tell us. You can report a security problem in the same way.'}
    </p>
    {hasContact(operator) && <Contact operator={operator} />}
  </Article>
)

const describeReaders = (readers: Config['readers']): string =>
  readers === 'anyone' ? 'Anyone with the link' : 'Everyone with an account here and the link'

const WhatIsStored = ({ config: { oidc, readers, removalDays } }: { config: Config }) => (
  <>
    <h2 id="documents">Documents</h2>
    <p>
      We store the text you share, its settings, its size, when it was created, edited and expires, and how
      many times it was read. If you’re signed in, we store that it’s yours. {describeReaders(readers)} can
      read it, and so can we.
    </p>
    <p>
      <strong>Encrypted documents</strong> are different. If you protect a document with a password, your
      browser encrypts the text, and we never get the text or the password. If encryption in the browser isn’t
      possible, or you send the password before the page’s scripts have loaded, the server encrypts or
      decrypts instead, and the page says so. The server then sees both for a moment, and stores neither. So
      that editors can prove the password, we store a hash of a value that your browser derives from it. It
      doesn’t reveal the password.
    </p>
    <p>
      Without an account, a random token proves that a document is yours. Your browser keeps it, and we store
      only a hash of it. To stop abuse, we store the IP address that the document came from (of IPv6, the
      network) for {ADDRESS_RETENTION_DAYS} days, or until an account takes the document.
    </p>
    <h2 id="accounts">Accounts</h2>
    <p>
      If you sign up, we store your username, your email address, and when you joined. There’s no account
      password. Of API keys and sessions we store hashes and times, and the names, the access and the expiry
      of keys. If you change your username or delete your account, we keep the name for 90 days, so that
      nobody else can take it. If you connect GitHub, we store your GitHub id, username and picture, and an
      encrypted access token.{' '}
      {oidc !== null && `If you sign in with ${oidc.name}, we store who you are there. `}
      Other users see your username and your picture, never your email address. While you have public
      documents, your profile page shows them and the month in which you joined, unless you switch it off.
    </p>
    <h2 id="reports">Reports</h2>
    <p>
      A report contains the reason and what you wrote, not who you are. When we remove a document, we keep its
      id, its author and the reason, and its title for {REMOVAL_TITLE_RETENTION_DAYS} days.{' '}
      {describeKept(removalDays)} We may keep a hash of its text, so that nobody shares it again.
    </p>
  </>
)

const HowLong = ({ config: { operator, sessionDays } }: { config: Config }) => (
  <>
    <h2 id="deletion">How long we keep it</h2>
    <ul>
      <li>
        <strong>Documents</strong> stay until they expire, are deleted, or are burned by their first reader.
        If you don’t choose an expiry, that’s after {DEFAULT_EXPIRY_DAYS} days. From that moment nobody can
        open them. The text is deleted within minutes, and from the storage’s caches within a day.
      </li>
      <li>
        <strong>Your account</strong> stays until you delete it on your account page. You choose whether your
        documents go with it.
      </li>
      <li>
        <strong>A record of sign-ins, API keys and what moderators do</strong> stays for{' '}
        {AUDIT_RETENTION_DAYS} days. It has usernames, and only the first part of IP addresses.
      </li>
      <li>
        <strong>Sessions</strong> end after {sessionDays} {sessionDays === 1 ? 'day' : 'days'}, emailed links
        after {LINK_LIFETIME_SECONDS / 60} minutes.
      </li>
      <li>
        <strong>Backups:</strong> Cloudflare lets us restore the database to any time in the last 30 days. It
        contains accounts and facts about documents, such as their titles, but not their text. We may also
        keep backups with the text of documents, except those that are burned after reading. As long as we do,
        a hash of the id of what you delete stays, too, so that a backup doesn’t bring it back.
        {hasContact(operator) && ' Ask us for how long.'}
      </li>
    </ul>
  </>
)

const InYourBrowser = () => (
  <>
    <h2 id="cookies">Cookies and your browser’s storage</h2>
    <p>
      We use no cookies for tracking, so there’s nothing to agree to. Signing in sets a cookie that keeps you
      signed in, and one that stays when you sign out: it lets this browser request another sign-in link even
      if somebody else has requested many for your address. If you create a document without an account, your
      browser keeps the document’s token in a cookie and in its storage. It also keeps how you want pages to
      look, and a draft of your text until you share or save it, but never a draft of text that will be
      encrypted.
    </p>
  </>
)

const WhoElse = ({ turnstile }: { turnstile: boolean }) => (
  <>
    <h2 id="others">Who else is involved</h2>
    <p>
      The server runs on Cloudflare’s network, which handles every request and so sees your IP address. We use
      the address to limit how many requests it can send. When you request an email, we store a keyed hash of
      the address for {LINK_LIFETIME_SECONDS / 60} minutes. Our log has a line for each request, with the kind
      of page, the time it took, the first part of the IP address, and hashes of the document’s and the
      account’s id, by which only we can look them up, but without the address of the page, passwords or text.
      If you sign in with GitHub or publish a gist, GitHub learns about it.{' '}
      {turnstile
        ? 'Without an account, the page for new documents loads Cloudflare’s check that you’re human. Other pages load nothing from anyone else, and we pass nothing on.'
        : 'Pages load nothing from anyone else, and we pass nothing on.'}
    </p>
  </>
)

export const PrivacyPage = ({ config, config: { abuse, operator }, siteUrl }: PageProps) => (
  <Article
    title="Privacy"
    path="/privacy"
    lead="We store what you share and what an account needs, and nothing about who reads it."
  >
    <p>“We” means {getOperatorName(operator) ?? `the people who run ${getHost(siteUrl)}`}.</p>
    <WhatIsStored config={config} />
    <HowLong config={config} />
    <InYourBrowser />
    <WhoElse turnstile={abuse.turnstile !== null} />
    <h2 id="questions">Questions and requests</h2>
    <p>
      You can see and delete your documents and your account yourself, and download all of it on your account
      page. Without an account, do so on <a href="/device">Your documents</a>.
      {hasContact(operator) && ' For anything else, ask us.'}
    </p>
    {hasContact(operator) && <Contact operator={operator} />}
  </Article>
)

export const TermsPage = ({ config: { operator }, siteUrl }: PageProps) => (
  <Article
    title="Terms"
    path="/terms"
    lead="Share only what you have the right to share, keep your own copy, and be fair to others."
  >
    <p>
      By using {getHost(siteUrl)}, you agree to these terms{getOperatorName(operator) && ' with '}
      {getOperatorName(operator)}.
    </p>
    <h2 id="yours">What you share stays yours</h2>
    <p>
      You keep all rights to your text. You let us store it and show it to anyone with the link, until it
      expires or you delete it. If you make it public, everyone can find it, also with search engines.
    </p>
    <h2 id="rules">What you may not share</h2>
    <ul>
      <li>Anything that’s illegal, or that you have no right to publish.</li>
      <li>Malware, phishing, stolen passwords, and other people’s personal data.</li>
      <li>Threats, harassment, and sexual content involving minors.</li>
      <li>Spam, and documents that only serve as storage for another service.</li>
    </ul>
    <p>Don’t try to get around limits, or to overload the server.</p>
    <h2 id="removal">Removal</h2>
    <p>
      We may remove documents and suspend accounts that break these terms. If you have an account, “Your
      documents” shows which of yours we removed, and why.
    </p>
    <h2 id="warranty">No warranty</h2>
    <p>
      The service is provided as is. It may change, fail or end, and documents may be lost, so don’t keep your
      only copy here. As far as the law allows, we aren’t liable for damage from using it. Nobody can recover
      the password of an encrypted document.
    </p>
    <h2 id="report">Report abuse</h2>
    <AbuseContact operator={operator} />
  </Article>
)

/**
 * A static file keeps the Worker small. A `wrangler.toml` of an earlier release gives no access to it, and then this
 * returns null.
 */
export async function loadReference(c: AppContext): Promise<string | null> {
  const assets: Fetcher | undefined = c.env.ASSETS
  if (!assets) return null
  const response = await assets.fetch(new URL(REFERENCE, c.req.url))
  if (!response.ok) throw new Error(`${REFERENCE} is missing: ${response.status}`)
  return (await response.text()).replaceAll(HOST_PLACEHOLDER, String(html`${c.var.siteUrl}`))
}

const LEAD = 'Create, read, edit and delete documents from a terminal, a text editor or a bot.'

export const DocsPage = ({ reference, anonymous }: { reference: string; anonymous: boolean }) => (
  <Layout
    title="API reference"
    preview={previewPage('API reference', LEAD, '/docs')}
    scripts={[SCRIPTS.form]}
    styles={[REFERENCE_STYLES]}
  >
    <h1>API reference</h1>
    <p>{LEAD}</p>
    {!anonymous && (
      <p class="banner">
        On this server, only people with an account can create documents. Add your API key to each request.
      </p>
    )}
    {raw(reference)}
  </Layout>
)
