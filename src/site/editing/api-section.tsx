const ROUTES = [
  ['POST /v1/document', 'Creates a document. With an API key it can have settings.'],
  ['GET /v1/document/ID', 'Reads a document. An encrypted one takes ?password= too.'],
  ['PATCH /v1/document', 'Changes a document that you made or may edit.'],
  ['DELETE /v1/document/ID', 'Deletes a document that you made.'],
  ['GET /r/ID', 'The text alone.'],
] as const

/** What the API is for, on the home page. */
export const ForPrograms = ({ siteUrl }: { siteUrl: string }) => (
  <section id="api" class="section prose" aria-labelledby="api-title">
    <h2 id="api-title">For programs</h2>
    <p>The same from a terminal, an editor or a bot, without an account:</p>
    {/* Wider than a phone: it scrolls, so it must be reachable by keyboard. */}
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
