import { SESSION_LIFETIME_SECONDS } from '../../accounts/sessions.ts'
import { LINK_LIFETIME_SECONDS } from '../../accounts/sign-in/email-links.ts'
import type { Operator } from '../../config.ts'
import { ADDRESS_RETENTION_DAYS, REMOVAL_TITLE_RETENTION_DAYS } from '../../moderation/delete-expired.ts'
import { AUDIT_RETENTION_DAYS } from '../../platform/audit-log.ts'
import { DEFAULT_EXPIRY_DAYS } from '../../shared/expiry.ts'
import { Article } from './article.tsx'
import { Contact, OperatorName } from './operator-links.tsx'

interface PageProps {
  readonly operator: Operator
  readonly signedIn: boolean
}

const DAY_SECONDS = 24 * 60 * 60

const WhatIsStored = () => (
  <>
    <h2 id="documents">Documents</h2>
    <p>
      We store the text you share, its settings, its size, when it was created, edited and expires, and how
      many times it was read. If you’re signed in, we store that it’s yours. Anyone with the link can read it,
      and so can the operator.
    </p>
    <p>
      <strong>Encrypted documents</strong> are different. If you protect a document with a password, your
      browser encrypts the text, and we never get the text or the password. If encryption in the browser isn’t
      possible, the server encrypts instead, and the page says so. The server then sees both for a moment, and
      stores neither. So that editors can prove the password, we store a hash of a value that your browser
      derives from it. It doesn’t reveal the password.
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
      of keys. If you change your username, we keep the old one for 90 days, so that nobody else can take it.
      If you connect GitHub, we store your GitHub id, username and picture, and an encrypted access token.
      Other users see your username and your picture, never your email address. While you have public
      documents, your profile page shows them and the month in which you joined, unless you switch it off.
    </p>
    <h2 id="reports">Reports</h2>
    <p>
      A report contains the reason and what you wrote, not who you are. When the operator removes a document,
      we keep its id, its author and the reason, and its title for {REMOVAL_TITLE_RETENTION_DAYS} days. We may
      keep a hash of its text, so that nobody shares it again.
    </p>
  </>
)

const HowLong = () => (
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
        <strong>A record of sign-ins, API keys and what the operator does</strong> stays for{' '}
        {AUDIT_RETENTION_DAYS} days. It has usernames, and only the first part of IP addresses.
      </li>
      <li>
        <strong>Sessions</strong> end after {SESSION_LIFETIME_SECONDS / DAY_SECONDS} days, emailed links after{' '}
        {LINK_LIFETIME_SECONDS / 60} minutes.
      </li>
      <li>
        <strong>Backups:</strong> Cloudflare lets the operator restore the database to any time in the last 30
        days. It contains accounts and facts about documents, such as their titles, but not their text. The
        operator may also keep backups with the text of documents, except those that are burned after reading.
        Ask them for how long.
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
      of page, the time it took and the first part of the IP address, but without the address of the page,
      passwords or text. If you sign in with GitHub or publish a gist, GitHub learns about it.{' '}
      {turnstile
        ? 'Without an account, the page for new documents loads Cloudflare’s check that you’re human. Other pages load nothing from anyone else, and we pass nothing on.'
        : 'Pages load nothing from anyone else, and we pass nothing on.'}
    </p>
  </>
)

export const PrivacyPage = ({ operator, signedIn, turnstile }: PageProps & { turnstile: boolean }) => (
  <Article
    title="Privacy"
    path="/privacy"
    lead="We store what you share and what an account needs, and nothing about who reads it."
    signedIn={signedIn}
  >
    <p>
      “We” is <OperatorName operator={operator} />. This page describes what the software does.
    </p>
    <WhatIsStored />
    <HowLong />
    <InYourBrowser />
    <WhoElse turnstile={turnstile} />
    <h2 id="questions">Questions and requests</h2>
    <p>
      You can see and delete your documents and your account yourself, and download all of it on your account
      page. Without an account, do so on <a href="/device">On this device</a>. For anything else, ask the
      operator.
    </p>
    <Contact operator={operator} />
  </Article>
)
