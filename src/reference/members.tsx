import type { JsonSchema } from '../api/openapi/types.ts'
import { SETTINGS, type SettingName } from '../shared/settings.ts'
import { Inline } from './inline.tsx'

interface MemberProps {
  readonly name: string
  /** The type of the value, such as "string, required". */
  readonly kind?: string
  readonly children: string
}

/** Renders a name and its meaning. */
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

export const Members = ({ members }: { members: readonly MemberProps[] }) => (
  <dl class="members">
    {members.map((member) => (
      <Member {...member} />
    ))}
  </dl>
)

/** Returns the type that a schema describes, such as "string or null". */
export function describeKind(schema: JsonSchema): string {
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

/** Lists the fields of an object schema. */
export function listMembers(schema: JsonSchema, { requests = false } = {}): MemberProps[] {
  const required = new Set(schema.required)
  return Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).map(([name, property]) => ({
    name,
    kind: [
      describeKind(property),
      ...(required.has(name) === requests ? [requests ? 'required' : 'optional'] : []),
    ].join(', '),
    children: property.description ?? '',
  }))
}

const CHANGED_BY = {
  editors: '',
  creator: 'only the creator can change it',
  nobody: 'can’t be changed',
} as const

const isSetting = (name: string): name is SettingName => Object.hasOwn(SETTINGS, name)

/** Lists the settings of a request, with their defaults and who may change them. */
export const listSettings = (schema: JsonSchema): MemberProps[] =>
  Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).map(([name, property]) => ({
    name,
    kind: [
      // The page says once that null means the same as leaving a setting out.
      describeKind(property).replace(name === 'expiration' ? /$^/ : / or null$/, ''),
      ...(property.default === null ? [] : [`default ${JSON.stringify(property.default)}`]),
      ...(isSetting(name) && CHANGED_BY[SETTINGS[name].changedBy]
        ? [CHANGED_BY[SETTINGS[name].changedBy]]
        : []),
    ].join(', '),
    children: property.description ?? '',
  }))
