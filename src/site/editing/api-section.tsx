const ROUTES = [
  ['POST /v1/document', 'Create a document. Settings need an API key.'],
  ['GET /v1/document/ID', 'Read a document. Add ?password= if it’s encrypted.'],
  ['PATCH /v1/document', 'Edit a document that you created or are an editor of.'],
  ['DELETE /v1/document/ID', 'Delete a document that you created.'],
  ['GET /r/ID', 'Get only the text.'],
] as const

/** Introduces the API on the home page. */
export const ApiSection = ({ siteUrl }: { siteUrl: string }) => (
  <section id="api" class="section prose" aria-labelledby="api-title">
    <h2 id="api-title">API</h2>
    <p>Create documents from a terminal, a text editor or a bot. You don’t need an account:</p>
    {/* On a phone this scrolls sideways, so the keyboard must reach it. */}
    <pre tabindex={0}>
      <code>{`curl ${siteUrl}/v1/document -H "Content-Type: application/json" -d '{"content": "Hello"}'`}</code>
    </pre>
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
  </section>
)
