import { SCRIPTS } from '../assets.generated.ts'
import { Snippet } from '../components/snippet.tsx'
import { Article } from './article.tsx'

const ROUTES = [
  ['POST /v1/document', 'Create a document'],
  ['GET /v1/document/ID', 'Read a document'],
  ['PATCH /v1/document', 'Edit a document'],
  ['DELETE /v1/document/ID', 'Delete a document'],
  ['GET /r/ID', 'Get only the text'],
  ['GET /v1/users/@me/documents', 'List your documents'],
] as const

/** Returns a command that creates a document, with one argument of curl a line. */
const formatCreate = (siteUrl: string, ...args: readonly string[]): string =>
  [`curl ${siteUrl}/v1/document`, "-H 'Content-Type: application/json'", ...args].join(' \\\n  ')

const Routes = () => (
  <table>
    <thead>
      <tr>
        <th scope="col">Request</th>
        <th scope="col">What it does</th>
      </tr>
    </thead>
    <tbody>
      {ROUTES.map(([request, purpose]) => (
        <tr>
          <td>
            <code>{request}</code>
          </td>
          <td>{purpose}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

export const ApiPage = ({ siteUrl, signedIn }: { siteUrl: string; signedIn: boolean }) => (
  <Article
    title="API"
    lead="Create, read, edit and delete documents from a terminal, a text editor or a bot."
    signedIn={signedIn}
    scripts={[SCRIPTS.copyButton]}
  >
    <h2 id="create">Create</h2>
    <p>You don’t need an account. The answer contains the document’s id and links.</p>
    <Snippet id="create-text" title="Share a text">
      {formatCreate(siteUrl, `-d '{"content": "Hello"}'`)}
    </Snippet>
    <Snippet id="create-file" title="Share a file, or the output of a command">
      {`jq -Rs '{content: .}' notes.txt | ${formatCreate(siteUrl, '-d @-')}`}
    </Snippet>
    <h2 id="key">With an API key</h2>
    <p>
      With the key of an <a href="/account">account</a>, a document is yours, and you can send settings: a
      language, an expiry in days, encryption, burn after reading, editors and more.
    </p>
    <Snippet id="create-settings" title="Share for one day, encrypted">
      {`key=imperial_…\n${formatCreate(
        siteUrl,
        '-H "Authorization: $key"',
        `-d '{"content": "attack at dawn", "settings": {"encrypted": true, "expiration": 1}}'`,
      )}`}
    </Snippet>
    <Snippet id="delete" title="Delete a document">
      {`curl -X DELETE ${siteUrl}/v1/document/ID -H "Authorization: $key"`}
    </Snippet>
    <h2 id="read">Read</h2>
    <Snippet id="read-raw" title="Get the text">{`curl ${siteUrl}/r/ID`}</Snippet>
    <Snippet id="read-encrypted" title="Decrypt a document">
      {`curl ${siteUrl}/v1/document/ID -H 'X-Document-Password: …'`}
    </Snippet>
    <h2 id="routes">Routes</h2>
    <Routes />
    <p>
      The complete reference is <code>docs/api.md</code> in Regent’s source code. Errors say what happened:{' '}
      <code>{'{"success": false, "error": {"code": "not_found", …}}'}</code>
    </p>
  </Article>
)
