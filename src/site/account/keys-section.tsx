import type { ApiKey } from '../../accounts/keys/api-keys.ts'
import { generateKeyId } from '../../accounts/keys/key-format.ts'
import { ConfirmationButton } from '../components/confirmation.tsx'
import { Field } from '../components/fields.tsx'
import { Section } from '../components/section.tsx'
import { Time } from '../components/time.tsx'
import { Cell } from '../lists/document-table.tsx'

const NewKey = ({ newKey }: { newKey: string }) => (
  <div class="banner">
    <p role="status">Here is your new key. Copy it now: it is never shown again.</p>
    <p class="key">
      <code id="new-key">{newKey}</code>
    </p>
    <button type="button" hidden data-copy="new-key" data-copied="key-copied">
      Copy
    </button>
    <span id="key-copied" role="status" />
  </div>
)

const KeyRow = ({ apiKey: { id, name, createdAt, lastUsedAt } }: { apiKey: ApiKey }) => (
  <tr>
    <th scope="row">{name}</th>
    <Cell column="Made">
      <Time at={createdAt} />
    </Cell>
    <Cell column="Last used">{lastUsedAt === null ? 'never' : <Time at={lastUsedAt} />}</Cell>
    <td>
      <ConfirmationButton
        id={`revoke-${id}`}
        title={`Revoke the key “${name}”?`}
        button="Revoke"
        action={`/account/keys/${id}/revoke`}
      >
        <p>Whatever uses it stops working at once. A key can not be brought back.</p>
      </ConfirmationButton>
    </td>
  </tr>
)

interface KeysSectionProps {
  readonly keys: readonly ApiKey[]
  /** A key that was just made: shown this once. */
  readonly newKey?: string | undefined
  readonly problem?: string | undefined
  /** What was typed into the form whose problem is told. */
  readonly typed?: string | undefined
}

/** The keys of an account, and the form for another one. */
export const KeysSection = ({ keys, newKey, problem, typed }: KeysSectionProps) => (
  <Section id="keys" title="API keys">
    {newKey !== undefined && <NewKey newKey={newKey} />}
    {keys.length > 0 && (
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Made</th>
            <th scope="col">Last used</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <KeyRow apiKey={key} />
          ))}
        </tbody>
      </table>
    )}
    <form method="post" action="/account/keys#keys">
      {/* Whoever reloads the answer sends this again, and makes no second key. */}
      <input type="hidden" name="id" value={generateKeyId()} />
      <Field
        label="Name"
        name="name"
        autocomplete="off"
        maxlength={100}
        hint="What the key is for, such as “laptop”: to tell it from others."
        problem={problem}
        {...(problem && typed !== undefined && { value: typed })}
      />
      {/* First comes copying the one that was just made. */}
      <button type="submit" class={newKey === undefined ? undefined : 'quiet'}>
        Create key
      </button>
    </form>
  </Section>
)
