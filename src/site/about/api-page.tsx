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

const KEY_HEADER = '-H "Authorization: $key"'

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

interface ApiPageProps {
  readonly siteUrl: string
  readonly signedIn: boolean
  /** Whether a request without an API key may create documents. */
  readonly anonymous: boolean
}

const CreateSection = ({ siteUrl, anonymous }: ApiPageProps) => (
  <>
    <h2 id="create">Create</h2>
    {anonymous ? (
      <p>
        You don’t need an account. The response contains the document’s id and links. Keep its header{' '}
        <code>X-Document-Token</code>: if you send it back later, you can edit and delete the document.
      </p>
    ) : (
      <p>
        On this server, only people with an account can create documents. Add your API key to each request.
      </p>
    )}
    <Snippet id="create-text" title="Share a text">
      {formatCreate(siteUrl, ...(anonymous ? ['-i'] : [KEY_HEADER]), `-d '{"content": "Hello"}'`)}
    </Snippet>
    <Snippet id="create-file" title="Share a file, or the output of a command">
      {`jq -Rs '{content: .}' notes.txt | ${formatCreate(siteUrl, ...(anonymous ? [] : [KEY_HEADER]), '-d @-')}`}
    </Snippet>
    {anonymous && (
      <Snippet id="delete-anonymous" title="Delete a document without an account">
        {`curl -X DELETE ${siteUrl}/v1/document/ID -H 'X-Document-Token: …'`}
      </Snippet>
    )}
  </>
)

export const ApiPage = (props: ApiPageProps) => (
  <Article
    title="API"
    lead="Create, read, edit and delete documents from a terminal, a text editor or a bot."
    signedIn={props.signedIn}
    scripts={[SCRIPTS.copyButton]}
  >
    <CreateSection {...props} />
    <h2 id="key">With an API key</h2>
    <p>
      With an API key from <a href="/account">your account</a>, the documents you create are yours. You can
      also send settings: a language, an expiry in days, encryption, burn after reading, editors and more.
    </p>
    <Snippet id="create-settings" title="Share for one day, encrypted">
      {`key=imperial_…\n${formatCreate(
        props.siteUrl,
        KEY_HEADER,
        `-d '{"content": "attack at dawn", "settings": {"encrypted": true, "expiration": 1}}'`,
      )}`}
    </Snippet>
    <Snippet id="delete" title="Delete a document">
      {`curl -X DELETE ${props.siteUrl}/v1/document/ID ${KEY_HEADER}`}
    </Snippet>
    <h2 id="read">Read</h2>
    <Snippet id="read-raw" title="Get the text">{`curl ${props.siteUrl}/r/ID`}</Snippet>
    <Snippet id="read-encrypted" title="Decrypt a document">
      {`curl ${props.siteUrl}/v1/document/ID -H 'X-Document-Password: …'`}
    </Snippet>
    <h2 id="routes">Routes</h2>
    <Routes />
    <p>
      The complete reference is <code>docs/api.md</code> in Regent’s source code. Errors say what happened:{' '}
      <code>{'{"success": false, "error": {"code": "not_found", …}}'}</code>
    </p>
  </Article>
)
