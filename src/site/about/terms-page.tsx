import type { Operator } from '../../config.ts'
import { Article } from './article.tsx'
import { AbuseContact, OperatorName } from './operator-links.tsx'

interface PageProps {
  readonly operator: Operator
  readonly signedIn: boolean
}

export const TermsPage = ({ operator, signedIn }: PageProps) => (
  <Article
    title="Terms"
    path="/terms"
    lead="Share only what you have the right to share, keep your own copy, and be fair to others."
    signedIn={signedIn}
  >
    <p>
      By using this server, you agree to these terms with <OperatorName operator={operator} />.
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
