import { createHash, randomBytes } from 'node:crypto'
import type { Control, Failure } from './control.ts'

export interface Gist {
  readonly id: string
  readonly owner: Account
  public: boolean
  description: string
  files: Map<string, string>
  readonly createdAt: Date
  updatedAt: Date
}

export interface Account {
  readonly id: number
  readonly login: string
  readonly email: string
  readonly emailVerified: boolean
  readonly requests: string[]
  failures: { failure: Failure; left: number }[]
  gists: Gist[]
  created: number
  token: string
}

export interface Token {
  readonly account: Account
  readonly scopes: readonly string[]
}

interface SignIn {
  readonly account: Account
  /** False if the user declines to authorize the app. */
  readonly agrees: boolean
}

interface Code {
  readonly account: Account
  readonly redirectUri: string
  readonly scopes: readonly string[]
  readonly challenge: string | null
}

/** The state of the fake GitHub. */
export class GitHubState {
  readonly accounts = new Map<string, Account>()
  readonly tokens = new Map<string, Token>()
  readonly codes = new Map<string, Code>()
  /** Who signed in last, and by username everyone who did. */
  signingIn: SignIn | null = null
  readonly signIns = new Map<string, SignIn>()

  account(login: string): Account {
    const account = this.accounts.get(login)
    if (!account) throw new Error(`there is no account ${login}`)
    return account
  }

  issueToken(account: Account, scopes: readonly string[]): string {
    account.token = `gho_${randomBytes(18).toString('hex')}`
    this.tokens.set(account.token, { account, scopes })
    return account.token
  }

  createGist(
    owner: Account,
    { description, isPublic, files }: { description: string; isPublic: boolean; files: Map<string, string> },
  ): Gist {
    const now = new Date()
    const id = randomBytes(16).toString('hex')
    const gist = { id, owner, public: isPublic, description, files, createdAt: now, updatedAt: now }
    owner.gists.unshift(gist)
    owner.created += 1
    return gist
  }

  findGist(id: string): Gist | null {
    for (const { gists } of this.accounts.values()) {
      const gist = gists.find((candidate) => candidate.id === id)
      if (gist) return gist
    }
    return null
  }

  /** Returns and consumes the failure requested for a request of an account, if any. */
  takeFailure(account: Account, request: string): Failure | null {
    const pending = account.failures.find(
      ({ failure, left }) => left > 0 && request.startsWith(failure.on ?? ''),
    )
    if (!pending) return null
    pending.left -= 1
    return pending.failure
  }

  /** Runs a command of a test, and returns the answer. */
  control(command: Control): unknown {
    switch (command.do) {
      case 'create account': {
        const { login, email = `${login}@example.org`, emailVerified = true, scopes = ['gist'] } = command
        // Not the id of an account in a stored database of the tests.
        const id = this.accounts.size + 1_000_000
        const empty = { requests: [], failures: [], gists: [], created: 0, token: '' }
        const account: Account = { id, login, email, emailVerified, ...empty }
        this.accounts.set(login, account)
        return { id, login, email, emailVerified, token: this.issueToken(account, scopes) }
      }
      case 'create gist': {
        const files = new Map([['notes.txt', 'something else']])
        const { id } = this.createGist(this.account(command.login), {
          description: command.description,
          isPublic: false,
          files,
        })
        return { id }
      }
      case 'delete gists':
        this.account(command.login).gists = []
        return {}
      case 'revoke token':
        this.tokens.delete(command.token)
        return {}
      case 'issue token':
        return { token: this.issueToken(this.account(command.login), command.scopes) }
      case 'fail':
        this.account(command.login).failures.push({
          failure: command.failure,
          left: command.failure.times ?? 1,
        })
        return {}
      case 'stop failing':
        this.account(command.login).failures = []
        return {}
      case 'state': {
        const { gists, created, requests } = this.account(command.login)
        const shown = gists.map((gist) => ({
          id: gist.id,
          public: gist.public,
          description: gist.description,
          files: Object.fromEntries(gist.files),
          url: getGistUrl(gist),
        }))
        return { gists: shown, created, requests }
      }
      case 'sign in':
        this.signingIn = { account: this.account(command.login), agrees: command.agrees ?? true }
        this.signIns.set(command.login, this.signingIn)
        return {}
      default:
        throw new Error(`unknown command: ${JSON.stringify(command satisfies never)}`)
    }
  }
}

export const getGistUrl = ({ id }: { readonly id: string }): string => `https://gist.github.com/${id}`

/** Derives the PKCE challenge of a verifier by S256 (RFC 7636 §4.2). */
export const deriveChallenge = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url')
