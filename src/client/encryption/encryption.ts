import type { EncryptedText, EncryptOptions } from '../../shared/jwe.ts'
import { parseFragmentPassword } from '../../shared/password-link.ts'
import { announce, createElement, requireElement } from '../shared/elements.ts'
import { parseStored, removeStored, store } from '../shared/storage.ts'
import { createWorkerClient, TaskError, type WorkerClient } from '../shared/workers.ts'
import type { JWE_TASKS } from './jwe-worker.ts'

/** Browsers only encrypt on secure pages, which nobody can tamper with. */
export const canEncrypt = (): boolean => isSecureContext && typeof crypto?.subtle === 'object'

type JweTasks = typeof JWE_TASKS
type Input<Name extends keyof JweTasks> = Parameters<JweTasks[Name]>[0]
type Result<Name extends keyof JweTasks> = Awaited<ReturnType<JweTasks[Name]>>

let worker: WorkerClient<JweTasks> | undefined

function explain(error: unknown): never {
  const isJweError = error instanceof Error && error.name === 'JweError'
  throw isJweError ? error : new Error('Something went wrong in your browser. Try again.')
}

/** Some browsers and extensions refuse workers. The page is blocked for moments, then. */
async function run<Name extends keyof JweTasks>(name: Name, input: Input<Name>): Promise<Result<Name>> {
  worker ??= createWorkerClient(requireElement<HTMLMetaElement>('meta[name="jwe-worker"]').content)
  try {
    return await worker.ask(name, input)
  } catch (error) {
    if (error instanceof TaskError) return explain(error)
    const tasks = await import('./jwe-worker.ts').catch(() => {
      throw new Error(
        'The encryption code couldn’t be loaded. Try again. If that doesn’t help, copy your text and reload the page.',
      )
    })
    const task = tasks.JWE_TASKS[name] as (input: Input<Name>) => Promise<Result<Name>>
    return task(input).catch(explain)
  }
}

// Errors of these functions have a message for the user.

/** Encrypts a text in a web worker. Neither the text nor the password leaves the browser. */
export const encryptInWorker = (options: EncryptOptions): Promise<EncryptedText> => run('encrypt', options)

/** Returns null if the password is wrong. */
export const decryptInWorker = (jwe: string, password: string): Promise<string | null> =>
  run('decrypt', { jwe, password })

/** `header` is the JWE's protected header in base64url. */
export const deriveClaimTokenInWorker = (header: string, password: string): Promise<string> =>
  run('deriveClaimToken', { header, password })

const STORED_KEY = 'regent.passwords'
/** One tab keeps so many. More are forgotten, the oldest first. */
const MAX_STORED = 20

interface StoredPassword {
  readonly id: string
  readonly password: string
}

const isStoredPassword = (value: unknown): value is StoredPassword =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  'password' in value &&
  typeof value.password === 'string'

function readPasswords(): StoredPassword[] {
  const stored = parseStored('sessionStorage', STORED_KEY)
  return Array.isArray(stored) ? stored.filter(isStoredPassword) : []
}

function writePasswords(passwords: readonly StoredPassword[]): void {
  // If the browser refuses, the page will ask for the password.
  if (passwords.length === 0) removeStored('sessionStorage', STORED_KEY)
  else store('sessionStorage', STORED_KEY, JSON.stringify(passwords.slice(0, MAX_STORED)))
}

export const forgetPassword = (id: string): void =>
  writePasswords(readPasswords().filter((stored) => stored.id !== id))

/**
 * Stores a password for this tab, so that reloading, going back, or opening the document again doesn't ask for it. The
 * password must be in a link already: browsers write this storage to disk, like the addresses of pages, and a password
 * that people type may open more than this document.
 */
export function storeLinkPassword(id: string, password: string): void {
  const others = readPasswords().filter((stored) => stored.id !== id)
  writePasswords([{ id, password }, ...others])
}

export const findLinkPassword = (id: string): string | null =>
  readPasswords().find((stored) => stored.id === id)?.password ?? null

/** Removes the password from the address bar, so that nobody reads or copies it there by accident, and returns it. */
export function takePassword(): string | null {
  const password = parseFragmentPassword(location.hash)
  if (password === null) return null
  history.replaceState(history.state, '', location.pathname + location.search)
  return password
}

const IN_BROWSER =
  'Your browser decrypts the document. Neither the password nor the text is sent to the server.'
const ON_SERVER =
  'Your browser can’t decrypt the document, so the password is sent to the server, which doesn’t store it.'
const ON_SERVER_WITHOUT_HTTPS =
  'This page wasn’t loaded over HTTPS, so your browser can’t decrypt the document. The password would be sent unencrypted: others on the network could read it and the document.'

export function getPasswordHint(decryptsInBrowser: boolean, isSecure = isSecureContext): string {
  if (decryptsInBrowser) return IN_BROWSER
  return isSecure ? ON_SERVER : ON_SERVER_WITHOUT_HTTPS
}

const PROGRESS_DELAY_MS = 150

export type PasswordForm = ReturnType<typeof createPasswordForm>

export function createPasswordForm(form: HTMLFormElement) {
  const field = form.querySelector<HTMLInputElement>('#password')
  const hint = form.querySelector<HTMLElement>('#password-hint')
  const progress = createElement('p', { className: 'hint', role: 'status' })
  form.append(progress)
  let alert = form.querySelector<HTMLElement>('[role="alert"]')
  let busy = false
  let onSubmitted: (password: string) => Promise<void> = async () => {}

  const describeField = (passwordWrong: boolean) => {
    if (!field) return
    const ids = [...(alert ? ['password-error'] : []), ...(hint ? ['password-hint'] : [])]
    field.setAttribute('aria-describedby', ids.join(' '))
    field.ariaInvalid = passwordWrong ? 'true' : null
  }
  const clear = () => {
    alert?.remove()
    alert = null
    describeField(false)
  }
  /** Screen readers announce an error even if it is the same as before. */
  const fail = (message: string, { passwordWrong }: { readonly passwordWrong: boolean }) => {
    clear()
    alert = createElement('p', { className: 'error', id: 'password-error', role: 'alert' })
    if (passwordWrong && field) field.after(alert)
    else form.prepend(alert)
    alert.textContent = message
    describeField(passwordWrong)
    if (passwordWrong) {
      field?.focus()
      field?.select()
    }
  }
  const submit = async (password: string) => {
    if (busy) return
    busy = true
    clear()
    const timer = setTimeout(() => announce(progress, 'Decrypting…'), PROGRESS_DELAY_MS)
    try {
      await onSubmitted(password)
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error), { passwordWrong: false })
    }
    clearTimeout(timer)
    announce(progress, '')
    busy = false
  }
  return {
    setHint: (text: string) => {
      if (hint) hint.textContent = text
    },
    fail,
    fill: (password: string) => {
      if (!field) return
      field.value = password
      form.querySelector('button')?.focus()
    },
    /** Runs in place of sending the form. Shows the error if `open` throws, and ignores submissions while it runs. */
    onSubmit: (open: (password: string) => Promise<void>) => {
      onSubmitted = open
      form.addEventListener('submit', (event) => {
        event.preventDefault()
        void submit(field?.value ?? '')
      })
    },
    submit: (password: string) => void submit(password),
  }
}
