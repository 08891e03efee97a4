import type { Operator } from '../../config.ts'
import { Article } from './article.tsx'
import { Contact, OperatorName } from './operator-links.tsx'

interface PageProps {
  readonly operator: Operator
  readonly signedIn: boolean
}

export const AbusePage = ({ operator, signedIn }: PageProps) => (
  <Article
    title="Report abuse"
    path="/abuse"
    lead="Tell us about documents that break the terms or the law. You don’t need an account."
    signedIn={signedIn}
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
            write to <a href={`mailto:${operator.abuseEmail}`}>{operator.abuseEmail}</a> with the addresses of
            the documents.
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
      <li>
        Every report goes to <OperatorName operator={operator} />. Reports of the same document are counted
        together.
      </li>
      <li>
        If a document breaks the <a href="/terms">terms</a>, we remove it. Nobody can open it from that
        moment, and its text is deleted within minutes, and from the storage’s caches within a day.
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
      If you’re signed in, the address of the document and “Your documents” say why. If you think it’s a
      mistake, tell us.
    </p>
    <Contact operator={operator} />
    <p>
      To report a security problem of this server, see <a href="/about#contact">Contact</a>.
    </p>
  </Article>
)
