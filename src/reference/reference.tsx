import type { Child } from 'hono/jsx'
import { createOpenApiDocument, OPERATIONS, type OpenApiDocument } from '../api/openapi/document.ts'
import { COMMON_HEADERS } from '../api/openapi/parameters-and-headers.ts'
import type { JsonSchema } from '../api/openapi/schemas.ts'
import { type ErrorCode, STATUS_BY_CODE } from '../shared/error-codes.ts'
import { Snippet } from '../ui/snippet.tsx'
import { HOST_PLACEHOLDER } from './examples.ts'
import { CODE_LANGUAGES, listMembers, listSettings, Members, OperationSection } from './operations.tsx'

const CODE_DESCRIPTIONS: Readonly<Record<ErrorCode, string>> = {
  bad_request: 'The body, the query, the cursor or the password isn’t valid.',
  unauthorized: 'The request needs a key or a token, or the key is invalid.',
  bad_auth: 'You aren’t allowed to do this.',
  not_found: 'The document, the account or the path doesn’t exist.',
  method_not_allowed: 'The path doesn’t have this method. `Allow` lists the methods it has.',
  conflict: 'On the site: you’ve signed in as someone else since you opened the form.',
  precondition_failed: 'The document has changed since you read it.',
  content_too_large: 'The content or the request body is too large.',
  unsupported_media_type: 'The body isn’t `application/json`.',
  rate_limited: 'Too many requests. Wait `Retry-After` seconds.',
  internal_error: 'Something went wrong on the server.',
  unavailable: 'Storage failed or didn’t answer in time. Wait `Retry-After` seconds.',
}

const REQUEST_SCHEMAS = 'NewDocument NewSettings DocumentChange ChangedSettings Claim ErrorResponse'.split(
  ' ',
)

interface ContentsItemProps {
  readonly name: string
  readonly id?: string
  readonly children?: Child
}

const ContentsItem = ({ name, id = name.toLowerCase(), children }: ContentsItemProps) => (
  <li>
    <a href={`#${id}`}>{name}</a>
    {children}
  </li>
)

const Contents = ({ document }: { document: OpenApiDocument }) => (
  <nav class="contents" aria-label="Contents">
    <fieldset class="code-language">
      <legend class="visually-hidden">Language of the examples</legend>
      <div class="segments">
        {CODE_LANGUAGES.map(({ name, label }, index) => (
          <label>
            <input type="radio" name="code-language" id={`in-${name}`} value={name} checked={index === 0} />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
    <details>
      <summary>Contents</summary>
      <ul class="plain-list nav-list">
        <ContentsItem name="Start" />
        <ContentsItem name="Authentication" />
        {document.tags.map(({ name }) => (
          <ContentsItem name={name}>
            <ul class="plain-list">
              {OPERATIONS.filter(({ tag }) => tag === name).map(({ id, summary }) => (
                <ContentsItem id={id} name={summary} />
              ))}
            </ul>
          </ContentsItem>
        ))}
        {['Settings', 'Objects', 'Errors', 'Headers'].map((name) => (
          <ContentsItem name={name} />
        ))}
      </ul>
    </details>
  </nav>
)

const Start = () => (
  <>
    <h2 id="start">Start</h2>
    <Snippet id="share" title="Share a file, and get its link">
      {`curl -T main.py ${HOST_PLACEHOLDER}/`}
    </Snippet>
    <p>
      That’s all a terminal needs: <code>curl {HOST_PLACEHOLDER}</code> says what else works without JSON.
      Programs that want more use the API below.
    </p>
    <p>
      Paths start at <code>{HOST_PLACEHOLDER}</code>. Requests and responses are JSON in UTF-8. In the
      examples, replace everything that starts with <code>YOUR_</code>. The Python examples need no packages.
    </p>
    <ul>
      <li>
        Send <code>Content-Type: application/json</code> with every body. Unknown fields are ignored, and null
        means the same as leaving a field out, unless the reference says otherwise.
      </li>
      <li>
        A successful response is <code>{'{"success": true, "data": …}'}</code>, an error is{' '}
        <code>{'{"success": false, "error": {"code", "message", "errors"?}}'}</code>.
      </li>
      <li>Times are ISO 8601 in UTC, with milliseconds.</li>
      <li>
        Pages of any origin may call the API, without cookies. Paths that answer <code>GET</code> also answer{' '}
        <code>HEAD</code>.
      </li>
      <li>
        Tools can use the <a href="/v1/openapi.json">OpenAPI document</a>.
      </li>
    </ul>
  </>
)

const Authentication = ({ document }: { document: OpenApiDocument }) => (
  <>
    <h2 id="authentication">Authentication</h2>
    <p>
      Create API keys on <a href="/account">your account page</a>. You don’t need a key to read documents.
    </p>
    <Members
      members={Object.values(document.components.securitySchemes).map(({ name, description, scheme }) => ({
        name: name ?? 'Authorization',
        ...(scheme && { kind: scheme }),
        children: description,
      }))}
    />
  </>
)

const ObjectSection = ({ name, schema }: { name: string; schema: JsonSchema }) => {
  const element = String((schema.items as JsonSchema | undefined)?.$ref)
    .split('/')
    .at(-1)
  return (
    <section aria-labelledby={name}>
      <h3 id={name}>{name}</h3>
      <p>{schema.description}</p>
      {schema.type === 'array' ? (
        <p>
          An array of <a href={`#${element}`}>{element}</a>.
        </p>
      ) : (
        <Members members={listMembers(schema)} />
      )}
    </section>
  )
}

const Reference = () => {
  const document = createOpenApiDocument()
  return (
    <div class="reference">
      <Contents document={document} />
      <div class="reference-text">
        <Start />
        <Authentication document={document} />
        {document.tags.map(({ name, description }) => (
          <section aria-labelledby={name.toLowerCase()}>
            <h2 id={name.toLowerCase()}>{name}</h2>
            <p>{description}</p>
            {OPERATIONS.filter(({ tag }) => tag === name).map((operation) => (
              <OperationSection operation={operation} />
            ))}
          </section>
        ))}
        <h2 id="settings">Settings</h2>
        <p>
          Settings need the key of a confirmed account, unless they equal the defaults. Some servers also
          accept settings without a key. Null means the same as leaving a setting out, except for{' '}
          <code>expiration</code>.
        </p>
        <Members members={listSettings(document.components.schemas.NewSettings ?? {})} />
        <h2 id="objects">Objects</h2>
        {Object.entries(document.components.schemas)
          .filter(([name]) => !REQUEST_SCHEMAS.includes(name))
          .sort(([one], [other]) => one.localeCompare(other))
          .map(([name, schema]) => (
            <ObjectSection name={name} schema={schema} />
          ))}
        <h2 id="errors">Errors</h2>
        <p>
          Each code has one status. <code>message</code> says what happened. If the body or the query isn’t
          valid, <code>errors</code> lists each problem with its <code>code</code>, <code>path</code> and{' '}
          <code>message</code>. Errors are never cached.
        </p>
        <Members
          members={Object.entries(STATUS_BY_CODE).map(([code, status]) => ({
            name: code,
            kind: String(status),
            children: CODE_DESCRIPTIONS[code as ErrorCode],
          }))}
        />
        <h2 id="headers">Headers</h2>
        <p>Responses can have these headers:</p>
        <Members
          members={Object.entries(document.components.headers).map(([name, { description }]) => ({
            name,
            ...(COMMON_HEADERS.some((common) => common === name) && { kind: 'always' }),
            children: description,
          }))}
        />
      </div>
    </div>
  )
}

/** The contents of the files that `scripts/build-client.ts` writes. */
export const openApiJson = `${JSON.stringify(createOpenApiDocument())}\n`
export const referenceHtml = String(<Reference />)
