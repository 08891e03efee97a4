import type { Operator } from '../../operator.ts'
import { Article } from './article.tsx'
import { AbuseContact, Contact, OperatorName } from './operator-links.tsx'

interface PageProps {
  readonly operator: Operator
  readonly signedIn: boolean
}

export const AboutPage = ({ operator, signedIn }: PageProps) => (
  <Article
    title="About"
    lead="Regent shares text by link: code, logs, notes and secrets. Paste, share, done."
    signedIn={signedIn}
  >
    <h2>What it does</h2>
    <ul>
      <li>
        <strong>Made for code and logs.</strong> Highlighting, line links, search and Markdown work in
        documents of any size, up to 10 MiB and beyond.
      </li>
      <li>
        <strong>Private when you want it.</strong> Protect a document with a password, and your browser
        encrypts it: the server never sees the text. Or let the first read delete it.
      </li>
      <li>
        <strong>Gone when you say so.</strong> A document expires to the millisecond, and then nobody gets it,
        us included.
      </li>
      <li>
        <strong>Nothing else.</strong> No ads, no trackers, nothing loaded from other sites. Every page works
        without JavaScript.
      </li>
      <li>
        <strong>For programs, too.</strong> Everything has <a href="/api">an API</a>.
      </li>
    </ul>
    <h2 id="operator">Who runs it</h2>
    <p>
      Regent is free software that anyone may run. This server is run by <OperatorName operator={operator} />.
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
