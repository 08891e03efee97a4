import { type ApiKey, MAX_KEY_NAME_CHARACTERS } from '../../accounts/api-keys.ts'
import { generateKeyId, KEY_SCOPES } from '../../accounts/key-format.ts'
import { ConfirmationButton } from '../components/confirmation.tsx'
import { Time } from '../components/facts.tsx'
import { Cell, Field, Section } from '../components/fields.tsx'
import { KEY_LIFETIMES, type KeyValues, NEW_KEY_VALUES } from './key-form.ts'

const NewKey = ({ newKey }: { newKey: string }) => (
  <div class="banner">
    <p role="status">Here’s your new API key. Copy it now: you won’t see it again.</p>
    <p class="key">
      <code id="new-key">{newKey}</code>
    </p>
    <button type="button" hidden data-copy="new-key" data-copied="key-copied">
      Copy
    </button>
    <span id="key-copied" role="status" />
  </div>
)

const KeyExpiry = ({ expiresAt, now }: { expiresAt: number | null; now: number }) => {
  if (expiresAt === null) return <>Never</>
  if (expiresAt > now) return <Time at={expiresAt} />
  return (
    <strong>
      Expired <Time at={expiresAt} />
    </strong>
  )
}

interface KeyRowProps {
  readonly apiKey: ApiKey
  readonly now: number
}

const KeyRow = ({ apiKey: { id, name, createdAt, lastUsedAt, expiresAt, scope }, now }: KeyRowProps) => (
  <tr>
    <th scope="row">{name}</th>
    <Cell column="Access">{KEY_SCOPES[scope].label}</Cell>
    <Cell column="Created">
      <Time at={createdAt} />
    </Cell>
    <Cell column="Last used">{lastUsedAt === null ? 'Never' : <Time at={lastUsedAt} />}</Cell>
    <Cell column="Expires">
      <KeyExpiry expiresAt={expiresAt} now={now} />
    </Cell>
    <td>
      <ConfirmationButton
        id={`revoke-${id}`}
        title={`Revoke the API key “${name}”?`}
        button="Revoke"
        action={`/account/keys/${id}/revoke`}
      >
        <p>Anything that uses this key stops working immediately. You can’t undo this.</p>
      </ConfirmationButton>
    </td>
  </tr>
)

const KeyLimits = ({ scope, expires }: KeyValues) => (
  <div class="fields">
    <p class="field">
      <label for="key-scope">Access</label>
      <select id="key-scope" name="scope" aria-describedby="key-scope-hint">
        {Object.entries(KEY_SCOPES).map(([value, { label }]) => (
          <option value={value} selected={value === scope}>
            {label}
          </option>
        ))}
      </select>
      <span class="hint" id="key-scope-hint">
        Only a key for everything can replace itself.
      </span>
    </p>
    <p class="field">
      <label for="key-expires">Expires</label>
      <select id="key-expires" name="expires">
        {Object.entries(KEY_LIFETIMES).map(([value, { label }]) => (
          <option value={value} selected={value === expires}>
            {label}
          </option>
        ))}
      </select>
    </p>
  </div>
)

interface KeysSectionProps {
  readonly keys: readonly ApiKey[]
  readonly now: number
  readonly newKey?: string | undefined
  readonly problem?: string | undefined
  readonly typed?: KeyValues | undefined
}

export const KeysSection = ({ keys, now, newKey, problem, typed = NEW_KEY_VALUES }: KeysSectionProps) => (
  <Section id="keys" title="API keys">
    {newKey !== undefined && <NewKey newKey={newKey} />}
    <p>
      A key lets a program act for you. See <a href="/docs">what the API can do</a>.
    </p>
    {keys.length > 0 && (
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Access</th>
            <th scope="col">Created</th>
            <th scope="col">Last used</th>
            <th scope="col">Expires</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <KeyRow apiKey={key} now={now} />
          ))}
        </tbody>
      </table>
    )}
    <form method="post" action="/account/keys#keys">
      {/* Reloading the answer sends the same id again, so it creates no second key. */}
      <input type="hidden" name="id" value={generateKeyId()} />
      <Field
        label="Name"
        name="name"
        autocomplete="off"
        maxlength={MAX_KEY_NAME_CHARACTERS}
        hint="Where you’ll use the key, such as “laptop”."
        problem={problem}
        value={typed.name}
      />
      <KeyLimits {...typed} />
      {/* After a key was created, copying it is the main action. */}
      <button type="submit" class={newKey === undefined ? undefined : 'quiet'}>
        Create key
      </button>
    </form>
  </Section>
)
