import type { Operator } from '../../config.ts'
import { Article } from './article.tsx'
import { AbuseContact, Contact, OperatorName } from './operator-links.tsx'

interface PageProps {
  readonly operator: Operator
  readonly signedIn: boolean
}

export const AboutPage = ({ operator, signedIn }: PageProps) => (
  <Article
    title="About"
    path="/about"
    lead="Regent shares text by link: code, logs, notes and secrets. Paste, share, done."
    signedIn={signedIn}
  >
    <h2>What it does</h2>
    <ul>
      <li>
        <strong>Made for code and logs.</strong> Documents have highlighting, links to lines, search and
        rendered Markdown. Even 10 MiB open at once.
      </li>
      <li>
        <strong>Private when you want it.</strong> Protect a document with a password, and your browser
        encrypts it: the server never sees the text. Or have it deleted after the first read.
      </li>
      <li>
        <strong>Gone when you say so.</strong> Documents expire to the millisecond. From then on, nobody can
        open them.
      </li>
      <li>
        <strong>Nothing else.</strong> No ads and no trackers. You can read and share without JavaScript.
      </li>
      <li>
        <strong>For programs, too.</strong> Share and read documents with <a href="/docs">the API</a>.
      </li>
    </ul>
    <h2 id="operator">Who runs it</h2>
    <p>
      Regent is free software that anyone can run. You’re using the server of{' '}
      <OperatorName operator={operator} />. It includes <a href="/assets/licences.txt">other free software</a>
      .
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
