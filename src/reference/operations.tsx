import type { Child } from 'hono/jsx'
import { listAliases } from '../api/openapi/document.ts'
import type { Credential, Operation } from '../api/openapi/operation.ts'
import { getProperties, type JsonSchema, SCHEMAS } from '../api/openapi/schemas.ts'
import { SETTINGS, type SettingName } from '../shared/settings.ts'
import { Snippet } from '../ui/snippet.tsx'
import { toCodeRequest, toCurl, toJavaScript, toPython } from './examples.ts'

/** Renders what is in backticks as code. */
const Inline = ({ children }: { children: string }) => (
  <>{children.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
)

interface MemberProps {
  readonly name: string
  readonly kind?: Child
  readonly children: string
}

const Member = ({ name, kind, children }: MemberProps) => (
  <div>
    <dt>
      <code>{name}</code> {kind && <span>{kind}</span>}
    </dt>
    <dd>
      <Inline>{children}</Inline>
    </dd>
  </div>
)

export const Members = ({ members }: { members: readonly MemberProps[] }) =>
  members.length > 0 && (
    <dl class="members">
      {members.map((member) => (
        <Member {...member} />
      ))}
    </dl>
  )

/** Returns "string or null", for example. */
function describeKind(schema: JsonSchema): string {
  const types =
    (schema.anyOf as JsonSchema[] | undefined)?.flatMap((option) => listTypes(option)) ?? listTypes(schema)
  return types.join(' or ')
}

function listTypes({ $ref, type, format, items, enum: values }: JsonSchema): string[] {
  if ($ref !== undefined) return ['object']
  if (type === 'array') return [`array of ${describeKind(items as JsonSchema)}s`]
  if (values) return [`one of ${values.join(', ')}`]
  if (format === 'date-time') return ['date-time']
  if (format === 'uri') return ['URL']
  const types = type === undefined ? [] : [type].flat()
  return types.map((name) => String(name))
}

const listProperties = (
  schema: JsonSchema,
  describe: (name: string, property: JsonSchema) => readonly string[],
): MemberProps[] =>
  Object.entries(getProperties(schema)).map(([name, property]) => ({
    name,
    kind: describe(name, property).join(', '),
    children: property.description ?? '',
  }))

export function listMembers(schema: JsonSchema, { requests = false } = {}): MemberProps[] {
  const required = new Set(schema.required)
  return listProperties(schema, (name, property) => [
    describeKind(property),
    ...(required.has(name) === requests ? [requests ? 'required' : 'optional'] : []),
  ])
}

const CHANGED_BY = {
  editors: '',
  creator: 'only the creator can change it',
  nobody: 'can’t be changed',
} as const

const isSetting = (name: string): name is SettingName => Object.hasOwn(SETTINGS, name)

export const listSettings = (schema: JsonSchema): MemberProps[] =>
  listProperties(schema, (name, property) => {
    const changedBy = isSetting(name) && CHANGED_BY[SETTINGS[name].changedBy]
    // The page says once that null means the same as leaving a setting out.
    const kind = describeKind(property).replace(name === 'expiration' ? /$^/ : / or null$/, '')
    return changedBy ? [kind, changedBy] : [kind]
  })

/** The name is part of the CSS class that shows only that language. */
export const CODE_LANGUAGES = [
  { name: 'curl', label: 'curl', write: toCurl },
  { name: 'javascript', label: 'JavaScript', write: toJavaScript },
  { name: 'python', label: 'Python', write: toPython },
] as const

const CREDENTIALS: Readonly<Record<Exclude<Credential, 'none'>, string>> = {
  key: 'an API key',
  documentToken: 'the token of the document',
  documentPassword: 'the password of the document',
}

function describeCredentials(credentials: readonly Credential[]): string {
  const names = credentials.flatMap((credential) => (credential === 'none' ? [] : [CREDENTIALS[credential]]))
  if (names.length === 0) return 'None.'
  const list = new Intl.ListFormat('en', { type: 'disjunction' }).format(names)
  return credentials.includes('none') ? `None, or ${list}.` : `${list[0]?.toUpperCase()}${list.slice(1)}.`
}

const Parameters = ({ operation: { id, parameters, body } }: { operation: Operation }) => (
  <>
    {parameters.length > 0 && (
      <>
        <h4 id={`${id}-parameters`}>Parameters</h4>
        <Members
          members={parameters.map(({ name, in: place, required, schema, description }) => ({
            name,
            kind: [
              place,
              ...(schema.type === 'string' && !schema.enum ? [] : [describeKind(schema)]),
              ...(required ? ['required'] : []),
              ...(schema.default === undefined ? [] : [`default ${schema.default}`]),
            ].join(', '),
            children: description,
          }))}
        />
      </>
    )}
    {body && (
      <>
        <h4 id={`${id}-body`}>Body</h4>
        <Members members={listMembers(SCHEMAS[body] ?? {}, { requests: true })} />
        {body !== 'Claim' && (
          <p>
            See <a href="#settings">all settings</a>.
          </p>
        )}
      </>
    )}
  </>
)

const Responses = ({ operation: { id, successes, errors } }: { operation: Operation }) => (
  <>
    <h4 id={`${id}-responses`}>Responses</h4>
    <Members
      members={successes.map(({ status, data, description }) => ({
        name: String(status),
        kind: data && <a href={`#${data}`}>{data}</a>,
        children: description,
      }))}
    />
    <details>
      <summary>Errors</summary>
      <Members
        members={errors.map(([{ status, code, message }, when]) => ({
          name: `${status} ${code}`,
          kind: `“${message}”`,
          children: when,
        }))}
      />
    </details>
  </>
)

const Examples = ({ operation }: { operation: Operation }) => (
  <div class="examples">
    {operation.examples.map((example) => {
      const request = toCodeRequest(operation, example)
      return CODE_LANGUAGES.map(({ name, write }) => (
        <div class={`in-${name}`}>
          <Snippet id={`${example.name}-${name}`} title={example.title}>
            {write(request)}
          </Snippet>
        </div>
      ))
    })}
  </div>
)

/** The operation's id is the anchor. */
export const OperationSection = ({ operation }: { operation: Operation }) => {
  const aliases = listAliases(operation.path)
  return (
    <section class="operation" id={operation.id} aria-labelledby={`${operation.id}-title`}>
      <h3 id={`${operation.id}-title`}>
        <a href={`#${operation.id}`}>{operation.summary}</a>
      </h3>
      <p class="route">
        <code>
          <b>{operation.method.toUpperCase()}</b> {operation.path}
        </code>
      </p>
      <p>
        <Inline>{operation.description}</Inline>
      </p>
      <p>
        <strong>Credentials:</strong> {describeCredentials(operation.credentials)}
      </p>
      {aliases.length > 0 && (
        <p class="quiet-text">
          <strong>Also at:</strong> <Inline>{aliases.map((path) => `\`${path}\``).join(', ')}</Inline>
        </p>
      )}
      <Examples operation={operation} />
      <Parameters operation={operation} />
      <Responses operation={operation} />
    </section>
  )
}
