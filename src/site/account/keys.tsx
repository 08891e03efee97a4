import type { Child } from 'hono/jsx'
import { type ApiKey, MAX_KEY_NAME_CHARACTERS } from '../../accounts/api-keys.ts'
import { generateKeyId, isKeyScope, KEY_SCOPES, SUGGESTED_SCOPE } from '../../accounts/key-format.ts'
import { DAY_MS, type Instant } from '../../shared/instant.ts'
import { SCRIPTS } from '../../ui/assets.generated.ts'
import { invalidForm } from '../../ui/errors.tsx'
import { Age, Time } from '../../ui/facts.tsx'
import { BackLink, Field, Item, Items, Section, Select } from '../../ui/fields.tsx'
import { CancelButton, ConfirmationButton, Dialog, Form, OpenButton } from '../../ui/form.tsx'
import { Notice } from '../../ui/layout.tsx'
import { Snippet } from '../../ui/snippet.tsx'
import { getTrimmedText } from '../../ui/submitted-form.ts'

const KEY_LIFETIMES = {
  week: { days: 7, label: 'After 7 days' },
  month: { days: 30, label: 'After 30 days' },
  quarter: { days: 90, label: 'After 90 days' },
  year: { days: 365, label: 'After 1 year' },
  never: { days: null, label: 'Never' },
} as const

type KeyLifetime = keyof typeof KEY_LIFETIMES

const SUGGESTED_LIFETIME = 'never' satisfies KeyLifetime

const isKeyLifetime = (candidate: string): candidate is KeyLifetime => Object.hasOwn(KEY_LIFETIMES, candidate)

const getLabels = (options: Readonly<Record<string, { readonly label: string }>>) =>
  Object.fromEntries(Object.entries(options).map(([value, { label }]) => [value, label]))

type Fields = ReadonlyMap<string, string>

/** The same for a form that wasn't sent yet, which has no name. */
const readKeyForm = (fields: Fields) => ({
  name: getTrimmedText(fields, 'name'),
  scope: fields.get('scope') ?? SUGGESTED_SCOPE,
  expires: fields.get('expires') ?? SUGGESTED_LIFETIME,
})

export function parseKeyForm(fields: Fields, now: Instant) {
  const { name, scope, expires } = readKeyForm(fields)
  if (name === '' || name.length > MAX_KEY_NAME_CHARACTERS) {
    throw invalidForm({ name: `Enter a name of 1 to ${MAX_KEY_NAME_CHARACTERS} characters.` })
  }
  if (!isKeyScope(scope)) throw invalidForm({ name: 'Choose one of the options for “Access”.' })
  if (!isKeyLifetime(expires)) throw invalidForm({ name: 'Choose one of the options for “Expires”.' })
  const { days } = KEY_LIFETIMES[expires]
  return { name, scope, expiresAt: days === null ? null : now + days * DAY_MS }
}

interface KeyFormProps {
  /** The fields that were sent, if the form is shown again. */
  readonly fields?: Fields
  readonly problem?: string | undefined
  /** The dialog that the form is in. */
  readonly dialog?: string
}

const KeyForm = ({ fields = new Map(), problem, dialog }: KeyFormProps) => (
  <Form
    action="/account/keys#keys"
    // Reloading the answer sends the same id again, so it creates no second key.
    hidden={{ id: generateKeyId() }}
    button="Create key"
    cancel={dialog && <CancelButton id={dialog} />}
  >
    <Field
      label="Name"
      name="name"
      maxlength={MAX_KEY_NAME_CHARACTERS}
      hint="Where you’ll use the key, such as “laptop”."
      problem={problem}
      value={readKeyForm(fields).name}
      autofocus
    />
    <Select
      label="Access"
      name="scope"
      value={readKeyForm(fields).scope}
      options={getLabels(KEY_SCOPES)}
      hint="To let a program replace its own key, choose “Everything”."
    />
    <Select
      label="Expires"
      name="expires"
      value={readKeyForm(fields).expires}
      options={getLabels(KEY_LIFETIMES)}
    />
  </Form>
)

const TITLE = 'Create an API key'

/** Shows a form with a problem, and the form for browsers that open no dialogs. */
export const KeyPage = (props: Omit<KeyFormProps, 'dialog'>) => (
  <Notice title={TITLE} scripts={[SCRIPTS.form]}>
    <KeyForm {...props} />
    <BackLink to="/account#keys">Back to your account</BackLink>
  </Notice>
)

const listFacts = ({ scope, createdAt, lastUsedAt, expiresAt }: ApiKey, now: Instant): Child[] => [
  KEY_SCOPES[scope].label,
  ['created ', <Age at={createdAt} now={now} />],
  lastUsedAt === null ? 'never used' : ['used ', <Age at={lastUsedAt} now={now} />],
  expiresAt !== null &&
    (expiresAt > now ? (
      ['expires ', <Age at={expiresAt} now={now} />]
    ) : (
      <strong>
        Expired <Time at={expiresAt} />
      </strong>
    )),
]

interface KeysSectionProps {
  readonly keys: readonly ApiKey[]
  readonly now: Instant
  readonly newKey?: string | undefined
}

export const KeysSection = ({ keys, now, newKey }: KeysSectionProps) => (
  <Section
    id="keys"
    title="API keys"
    action={
      <OpenButton id="create-key" look="quiet">
        New key
      </OpenButton>
    }
  >
    {newKey !== undefined && (
      <Snippet id="new-key" title="Your new API key. You won’t see it again." main>
        {newKey}
      </Snippet>
    )}
    <Items>
      {keys.length === 0 && <Item title="No keys yet" text={[<a href="/docs">See what the API can do</a>]} />}
      {keys.map((apiKey) => (
        <Item title={apiKey.name} text={listFacts(apiKey, now)}>
          <ConfirmationButton
            id={`revoke-${apiKey.id}`}
            title={`Revoke the API key “${apiKey.name}”?`}
            button="Revoke"
            action={`/account/keys/${apiKey.id}/revoke`}
          >
            <p>Anything that uses this key stops working immediately. You can’t undo this.</p>
          </ConfirmationButton>
        </Item>
      ))}
    </Items>
    <Dialog id="create-key" title={TITLE}>
      <KeyForm dialog="create-key" />
    </Dialog>
  </Section>
)
