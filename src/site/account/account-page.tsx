import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import {
  type DocumentsChoice,
  isDocumentsChoice,
  processAccountDeletion,
  startAccountDeletion,
} from '../../accounts/account-deletion.ts'
import { createKey, listKeys, MAX_KEYS, revokeKey } from '../../accounts/api-keys.ts'
import { isKeyId } from '../../accounts/key-format.ts'
import {
  type AccountDetails,
  disconnectProvider,
  findAccountDetails,
  findDefaults,
  saveDefaults,
} from '../../accounts/profile.ts'
import { endSessions, FRESH_SESSION_MINUTES, isFreshSession } from '../../accounts/sessions.ts'
import { GITHUB, isAdmin } from '../../accounts/user.ts'
import { outlastRowMemory } from '../../documents/recent-documents.ts'
import type { UserEnv } from '../../env.ts'
import { signInRequired } from '../../errors.ts'
import type { AnswerOptions } from '../../http/answers.ts'
import { expiredSessionCookie } from '../../http/cookies.ts'
import { readSessionToken } from '../../http/identity.ts'
import { formatMonth } from '../../shared/format.ts'
import { SCRIPTS } from '../../ui/assets.generated.ts'
import { getProblems, invalidForm, isInvalidForm, Problem } from '../../ui/errors.tsx'
import { AccountPicture } from '../../ui/facts.tsx'
import { BackLink, Checkbox, Choices, Item, Items, Section, SettingsFields } from '../../ui/fields.tsx'
import { CancelButton, ConfirmationButton, Dialog, Form, OpenButton } from '../../ui/form.tsx'
import { Layout, Notice } from '../../ui/layout.tsx'
import { privatePage, seeOther, withCookies } from '../../ui/page.tsx'
import { readFields, submitForm } from '../../ui/submitted-form.ts'
import { parseSettings } from '../editing/form-values.ts'
import { redirectToGitHub } from '../sign-in/github-sign-in.ts'
import { leadToProvider } from '../sign-in/oidc-sign-in.tsx'
import { formatProviderError, getSignInMethods, offersGitHub } from '../sign-in/sign-in-methods.ts'
import { SignInForms } from '../sign-in/sign-in-pages.tsx'
import { findInvitations, InvitationsSection } from './invitations.tsx'
import { KeyPage, KeysSection, parseKeyForm } from './keys.tsx'

type AccountContext = Context<UserEnv>

export async function requireAccountDetails(c: AccountContext): Promise<AccountDetails> {
  const { now, store, user } = c.var
  const details = await findAccountDetails(store.db, user.id, now)
  if (!details) throw signInRequired()
  return details
}

const DONE_MESSAGES = new Map([
  ['renamed', 'Username changed.'],
  ['revoked', 'API key revoked.'],
  [
    'key',
    'This API key has already been created and shown once. If you didn’t copy it, revoke it and create another.',
  ],
  ['email', 'Email address changed.'],
  ['picture', 'You now have a generated picture.'],
  ['profile', 'Profile page changed.'],
  ['defaults', 'Defaults saved.'],
  ['disconnected', 'Disconnected.'],
  ['invitation-revoked', 'Invitation revoked.'],
  [
    'invited',
    'This invitation has already been made and its link shown once. If you didn’t copy it, revoke it and invite again.',
  ],
])

interface ShownOptions {
  readonly connectionProblem?: string
  readonly newKey?: string
  /** The link of an invitation that was just made. */
  readonly newLink?: string
}

/** Reads everything that the account's page shows. */
async function readAccount(c: AccountContext, options: ShownOptions) {
  const { now, store, user } = c.var
  const [details, keys, defaults, invitations] = await Promise.all([
    requireAccountDetails(c),
    listKeys(store.db, user.id),
    findDefaults(store.db, user.id),
    findInvitations(c),
  ])
  const done = DONE_MESSAGES.get(c.req.query('done') ?? '')
  return {
    details,
    keys,
    defaults,
    invitations,
    now,
    user,
    methods: getSignInMethods(c),
    connectsGitHub: offersGitHub(c),
    provider: c.var.config.authSecret === null ? null : c.var.config.oidc,
    done,
    ...options,
  }
}

type AccountProps = Awaited<ReturnType<typeof readAccount>>

const QuietLink = ({ to, label, children }: { to: string; label?: string; children: Child }) => (
  <a href={to} class="button quiet" aria-label={label}>
    {children}
  </a>
)

const Profile = ({ details, user, methods }: AccountProps) => (
  <section class="card stack" aria-labelledby="profile">
    <div class="row profile">
      <AccountPicture details={details} />
      <div>
        <h2 id="profile">{details.username}</h2>
        <p class="facts-line">
          <span>{details.email}</span>
          <span>{details.documentsMade === 1 ? '1 document' : `${details.documentsMade} documents`}</span>
          <span>joined in {formatMonth(details.createdAt)}</span>
        </p>
      </div>
      <QuietLink to="/account/profile" label="Edit profile">
        Edit
      </QuietLink>
    </div>
    {!user.confirmed && (
      <p>
        Your email address isn’t confirmed, so you can’t use document settings yet.{' '}
        {methods.sendEmail ? (
          'To confirm it, sign out and sign in again with the link we email you.'
        ) : (
          <>
            This server doesn’t send email, so <a href="/about#contact">ask us</a> to confirm it.
          </>
        )}
      </p>
    )}
  </section>
)

const DefaultsSetting = ({ defaults }: AccountProps) => (
  <Item title="Defaults" text="How your new documents start.">
    <OpenButton id="defaults" look="quiet">
      Change
    </OpenButton>
    <Dialog id="defaults" title="Defaults for new documents">
      <Form action="/account/defaults" button="Save defaults" cancel={<CancelButton id="defaults" />}>
        <SettingsFields values={defaults} />
      </Form>
    </Dialog>
  </Item>
)

const describeGitHub = ({ gitHub }: AccountDetails): Child => {
  if (gitHub === null) return 'GitHub isn’t connected.'
  const login = gitHub.login === null ? 'A GitHub account' : <strong>{gitHub.login}</strong>
  return (
    <>
      {login} signs you in{gitHub.gists ? ' and can publish documents as gists.' : '.'}
    </>
  )
}

const GitHubSetting = ({ details, connectsGitHub }: AccountProps) =>
  connectsGitHub || details.gitHub ? (
    <Item title="GitHub" text={[describeGitHub(details)]}>
      {connectsGitHub && !details.gitHub?.gists && (
        <Form
          action="/account/github/connect"
          layout="inline"
          look="quiet"
          button={details.gitHub === null ? 'Connect GitHub' : 'Allow gists'}
        />
      )}
      {details.gitHub && (
        <Form
          action="/account/github/disconnect"
          layout="inline"
          look="quiet"
          button="Disconnect"
          label="Disconnect GitHub"
        />
      )}
    </Item>
  ) : null

/** The provider of this server, and those that it had before and the account is still connected to. */
const SingleSignOnSettings = ({ details: { singleSignOn }, provider }: AccountProps) => {
  const others = singleSignOn.map(({ issuer }) => issuer).filter((issuer) => issuer !== provider?.issuer)
  return [...(provider ? [provider.issuer] : []), ...others].map((issuer) => {
    const isCurrent = issuer === provider?.issuer
    const name = isCurrent ? provider.name : new URL(issuer).host
    const connected = singleSignOn.find((one) => one.issuer === issuer)
    const login = <strong>{connected?.login ?? 'An account there'}</strong>
    return (
      <Item
        title={name}
        text={[
          connected ? (
            <>
              {login} {isCurrent ? 'signs you in.' : 'signed you in before this server changed its provider.'}
            </>
          ) : (
            `${name} isn’t connected.`
          ),
        ]}
      >
        {connected ? (
          <Form
            action="/account/single-sign-on/disconnect"
            hidden={{ issuer }}
            layout="inline"
            look="quiet"
            button="Disconnect"
            label={`Disconnect ${name}`}
          />
        ) : (
          <Form
            action="/account/single-sign-on/connect"
            layout="inline"
            look="quiet"
            button={`Connect ${name}`}
          />
        )}
      </Item>
    )
  })
}

const SIGN_OUT_EVERYWHERE = '/account/sign-out-everywhere'

const SignOutEverywhere = ({ keys }: Pick<AccountProps, 'keys'>) =>
  keys.length === 0 ? (
    <Form action={SIGN_OUT_EVERYWHERE} layout="inline" look="quiet" button="Sign out everywhere" />
  ) : (
    <ConfirmationButton
      id="sign-out-everywhere"
      title="Sign out everywhere?"
      button="Sign out everywhere"
      action={SIGN_OUT_EVERYWHERE}
    >
      <p>
        You’re signed out on all devices, this one included. API keys keep working unless you revoke them.
      </p>
      <Checkbox name="revoke_keys">
        {keys.length === 1 ? 'Revoke my API key, too' : `Revoke my ${keys.length} API keys, too`}
      </Checkbox>
    </ConfirmationButton>
  )

const describeSessions = ({ sessions }: AccountDetails): string =>
  sessions === 1 ? 'Only this one is signed in.' : `${sessions} are signed in.`

const AccountPage = (props: AccountProps) => (
  <Layout title="Account" scripts={[SCRIPTS.form]}>
    <div class="settings-page stack">
      <h1>Account</h1>
      {props.done && (
        <p class="banner" role="status">
          {props.done}
        </p>
      )}
      {props.connectionProblem && <Problem>{props.connectionProblem}</Problem>}
      <Profile {...props} />
      <KeysSection {...props} />
      {props.invitations && (
        <InvitationsSection {...props} invitations={props.invitations} username={props.details.username} />
      )}
      <Section id="settings" title="Settings">
        <Items>
          {isAdmin(props.user) && (
            <Item title="Moderation" text="Reports, removals, blocks and the audit log.">
              <QuietLink to="/moderation">Open</QuietLink>
            </Item>
          )}
          <DefaultsSetting {...props} />
          <GitHubSetting {...props} />
          <SingleSignOnSettings {...props} />
          <Item title="Your data" text="Your account and all your documents as a ZIP file.">
            <QuietLink to="/account/download">Download</QuietLink>
          </Item>
          <Item title="Devices" text={describeSessions(props.details)}>
            <div class="row">
              <Form action="/sign-out" layout="inline" look="quiet" button="Sign out" />
              <SignOutEverywhere keys={props.keys} />
            </div>
          </Item>
          <Item title="Delete account" text="You choose what happens to your documents.">
            <a href="/account/delete" class="button quiet danger">
              Delete account
            </a>
          </Item>
        </Items>
      </Section>
    </div>
  </Layout>
)

export async function showAccount(
  c: AccountContext,
  shown: ShownOptions = {},
  options?: AnswerOptions,
): Promise<Response> {
  return privatePage(c, <AccountPage {...(await readAccount(c, shown))} />, options)
}

export function showAccountPage(c: AccountContext): Promise<Response> {
  const { error: code, with: provider } = c.req.query()
  const name = (provider === 'oidc' && c.var.config.oidc?.name) || 'GitHub'
  return code === undefined
    ? showAccount(c)
    : showAccount(c, { connectionProblem: formatProviderError(code, name) }, { status: 400 })
}

export const showKeyForm = (c: AccountContext): Promise<Response> => privatePage(c, <KeyPage />)

export async function createKeyFromForm(c: AccountContext): Promise<Response> {
  const { now, store, user } = c.var
  const fields = await readFields(c)
  const id = fields.get('id') ?? ''
  return submitForm(c, {
    submit: async () => {
      const wanted = { ...parseKeyForm(fields, now), id: isKeyId(id) ? id : undefined, now }
      const created = await createKey(store.db, user.id, wanted)
      // No redirect: only this answer contains the key.
      if ('key' in created) return showAccount(c, { newKey: created.key })
      if (created.problem === 'limit reached') {
        throw invalidForm({ name: `You already have ${MAX_KEYS} keys, the maximum. Revoke one first.` })
      }
      return seeOther(c, '/account?done=key')
    },
    handles: isInvalidForm,
    showAgain: (error, options) =>
      privatePage(c, <KeyPage problem={getProblems(error).name} fields={fields} />, options),
  })
}

export async function revokeKeyFromForm(c: AccountContext, id: string): Promise<Response> {
  await revokeKey(c.var.store.db, c.var.user.id, id, c.var.now)
  return seeOther(c, '/account?done=revoked')
}

export async function saveDefaultsFromForm(c: AccountContext): Promise<Response> {
  const { config, store, user } = c.var
  const settings = parseSettings(await readFields(c))
  // Without public lists, the form doesn't offer visibility. The account keeps what it chose before.
  const kept = config.explore ? {} : { visibility: (await findDefaults(store.db, user.id)).visibility }
  await saveDefaults(store.db, user.id, { ...settings, ...kept })
  return seeOther(c, '/account?done=defaults')
}

export async function connectGitHubFromForm(c: AccountContext): Promise<Response> {
  return redirectToGitHub(c, { returnTo: '/account', connects: c.var.user })
}

async function isOnlyWayToSignIn(c: AccountContext, provider: string): Promise<boolean> {
  const { gitHub, sendEmail } = getSignInMethods(c)
  if (sendEmail !== null) return false
  const details = await requireAccountDetails(c)
  const ways = details.singleSignOn
    .map(({ issuer }) => issuer)
    .filter((issuer) => issuer === c.var.config.oidc?.issuer)
  if (gitHub && details.gitHub) ways.push(GITHUB)
  return ways.length === 1 && ways[0] === provider
}

/** @param provider GITHUB, or the issuer of single sign-on. */
async function disconnect(c: AccountContext, provider: string): Promise<Response> {
  if (await isOnlyWayToSignIn(c, provider)) {
    const name = provider === GITHUB ? 'GitHub' : c.var.config.oidc?.name
    const connectionProblem = `You can’t disconnect ${name}, because it’s your only way to sign in.`
    return showAccount(c, { connectionProblem }, { status: 400 })
  }
  await disconnectProvider(c.var.store.db, c.var.user.id, provider)
  return seeOther(c, '/account?done=disconnected')
}

export const disconnectGitHubFromForm = (c: AccountContext): Promise<Response> => disconnect(c, GITHUB)

export const connectSingleSignOn = (c: AccountContext): Promise<Response> =>
  leadToProvider(c, { returnTo: '/account', connects: c.var.user })

export const disconnectSingleSignOnFromForm = async (c: AccountContext): Promise<Response> =>
  disconnect(c, (await readFields(c)).get('issuer') ?? '')

export async function signOutEverywhere(c: AccountContext): Promise<Response> {
  const revokeKeys = (await readFields(c)).has('revoke_keys')
  await endSessions(c.var.store.db, c.var.user.id, { revokeKeys, now: c.var.now })
  return seeOther(c, '/', [expiredSessionCookie(c.var.siteUrl)])
}

export const BackToAccount = () => <BackLink to="/account">Back to your account</BackLink>

const DELETE_ACCOUNT_PATH = '/account/delete'

interface DeleteAccountProps {
  readonly username: string
  readonly documents: DocumentsChoice
}

const DeleteAccountPage = ({ username, documents }: DeleteAccountProps) => (
  <Notice title="Delete account" scripts={[SCRIPTS.form]}>
    <p>
      This deletes the account <strong>{username}</strong>. Your API keys stop working immediately, and you’re
      signed out everywhere. You can’t undo this, so <a href="/account/download">download your data</a> first
      if you want to keep it. Nobody can take your username for 90 days, not even you.
    </p>
    <Form action={DELETE_ACCOUNT_PATH} button="Delete account" look="danger">
      <Choices
        legend="Your documents"
        name="documents"
        value={documents}
        options={{ delete: 'Delete them', keep: 'Keep them, without an author' }}
        hint="If you keep them, neither you nor your editors can edit or delete them."
      />
    </Form>
    <BackToAccount />
  </Notice>
)

async function hasFreshSession(c: AccountContext): Promise<boolean> {
  const token = await readSessionToken(c)
  return token !== null && isFreshSession(c.var.store.db, token, c.var.now)
}

/** @param chosen the choice about the documents, which the page offers again after the user has signed in. */
export async function showDeletion(
  c: AccountContext,
  chosen = c.req.query('documents'),
  options?: AnswerOptions,
): Promise<Response> {
  const documents = isDocumentsChoice(chosen) ? chosen : 'delete'
  if (await hasFreshSession(c))
    return privatePage(c, <DeleteAccountPage username={c.var.user.username} documents={documents} />)
  const { email, gitHub } = await requireAccountDetails(c)
  const methods = getSignInMethods(c)
  const offered = { ...methods, gitHub: methods.gitHub && gitHub !== null }
  const confirmPage = (
    <Notice title="Confirm it’s you" scripts={[SCRIPTS.form]}>
      <p>Before you can delete your account, sign in again. Then you have {FRESH_SESSION_MINUTES} minutes.</p>
      <SignInForms methods={offered} returnTo={`${DELETE_ACCOUNT_PATH}?documents=${documents}`} email={email}>
        <p class="hint">We’ll email a link to {email}.</p>
      </SignInForms>
      {!offered.sendEmail && !offered.gitHub && offered.oidc === null && (
        <p>
          This server doesn’t send email. <a href="/about#contact">Ask us</a> to delete your account.
        </p>
      )}
      <BackToAccount />
    </Notice>
  )
  return privatePage(c, confirmPage, options)
}

/** How long a request deletes documents itself. The scheduled trigger deletes the rest. */
const DELETION_BUDGET_MS = 10_000

export async function deleteAccount(c: AccountContext): Promise<Response> {
  const { siteUrl, store, user } = c.var
  const choice = (await readFields(c)).get('documents')
  if (!isDocumentsChoice(choice)) return seeOther(c, DELETE_ACCOUNT_PATH)
  if (!(await hasFreshSession(c))) return showDeletion(c, choice, { status: 403 })
  const documents = await startAccountDeletion(store.db, user.id, choice)
  const end = Date.now() + DELETION_BUDGET_MS
  const deletion = processAccountDeletion(store, { id: user.id, documents }, () => Date.now() < end)
  // The deletion has started, and the scheduled trigger finishes it. A fault here can't stop it, so it is only logged.
  const finished = await deletion.catch((error) => {
    store.defer(() => Promise.reject(error))
    return false
  })
  // The page may say what is gone once no isolate shows it any more.
  await outlastRowMemory()
  const deletedPage = (
    <Notice icon="check" title="Account deleted" signedIn={false}>
      <p role="status">
        {documents === 'keep' && 'Your documents are still there, without an author.'}
        {documents === 'delete' && finished && 'Your documents have been deleted, too.'}
        {documents === 'delete' &&
          !finished &&
          'Your documents are being deleted. They’ll be gone within a few minutes.'}
      </p>
      <BackLink to="/">Go to the home page</BackLink>
    </Notice>
  )
  return withCookies(await privatePage(c, deletedPage), expiredSessionCookie(siteUrl))
}
