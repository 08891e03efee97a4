import { type ApiKey, MAX_KEY_NAME_CHARACTERS } from '../../accounts/keys/api-keys.ts'
import { generateKeyId } from '../../accounts/keys/key-format.ts'
import { ConfirmationButton } from '../components/confirmation.tsx'
import { Field } from '../components/fields.tsx'
import { Section } from '../components/section.tsx'
import { Cell } from '../components/table-cell.tsx'
import { Time } from '../components/time.tsx'

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

const KeyRow = ({ apiKey: { id, name, createdAt, lastUsedAt } }: { apiKey: ApiKey }) => (
  <tr>
    <th scope="row">{name}</th>
    <Cell column="Created">
      <Time at={createdAt} />
    </Cell>
    <Cell column="Last used">{lastUsedAt === null ? 'Never' : <Time at={lastUsedAt} />}</Cell>
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

interface KeysSectionProps {
  readonly keys: readonly ApiKey[]
  /** A key that was just created, shown only now. */
  readonly newKey?: string | undefined
  readonly problem?: string | undefined
  /** What was typed into the form that has a problem. */
  readonly typed?: string | undefined
}

/** Lists an account's API keys, and creates another. */
export const KeysSection = ({ keys, newKey, problem, typed }: KeysSectionProps) => (
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
            <th scope="col">Created</th>
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
    <form method="post" action="/account/keys#keys" class="field-row">
      {/* Reloading the answer sends the same id again, so it creates no second key. */}
      <input type="hidden" name="id" value={generateKeyId()} />
      <Field
        label="Name"
        name="name"
        autocomplete="off"
        maxlength={MAX_KEY_NAME_CHARACTERS}
        hint="Where you’ll use the key, such as “laptop”."
        problem={problem}
        {...(problem && typed !== undefined && { value: typed })}
      />
      {/* After a key was created, copying it is the main action. */}
      <button type="submit" class={newKey === undefined ? undefined : 'quiet'}>
        Create key
      </button>
    </form>
  </Section>
)
