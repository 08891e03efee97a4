import type { User } from '../../accounts/user.ts'
import type { Viewer } from '../../documents/model/document.ts'
import type { AppContext } from '../../env.ts'
import { unauthorized } from '../../errors.ts'
import { hasCredential } from './credential.ts'
import { readDocumentToken, toViewer } from './document-token.ts'
import type { Identity } from './identity.ts'

/** Who makes a request, and what was read together with that. */
interface AskedAlongside<Found> {
  /** The account; null without one. */
  readonly user: User | null
  readonly viewer: Viewer
  /** Fails if the read failed: after the checks that need only the viewer. */
  readonly found: Promise<Found>
}

/**
 * Looks up who makes a request, and reads what it asks for, in one round trip. The database may be far away.
 *
 * @param read starts its read at once, before it waits for the viewer.
 * @param ask how to look up the account. By default it needs no valid credential.
 * @throws what `ask` throws, whatever becomes of the read.
 */
export async function askAlongside<Found>(
  c: AppContext,
  read: (viewer: Promise<Viewer>) => Promise<Found>,
  ask: (identity: Identity) => Promise<User | null> = (identity) => identity.ask(),
): Promise<AskedAlongside<Found>> {
  const { identity, store } = c.var
  const begin = () => {
    const asking = hasCredential(c) ? ask(identity) : Promise.resolve(null)
    const viewer = asking.then((user) => toViewer(c, user))
    const found = (async () => read(viewer))()
    // If several fail, only the first one is reported.
    for (const promise of [asking, viewer, found]) promise.catch(() => {})
    return { asking, viewer, found }
  }
  if (hasCredential(c)) await identity.prepare()
  const { asking, viewer, found } = hasCredential(c) ? store.db.together(begin) : begin()
  return { user: await asking, viewer: await viewer, found }
}

/**
 * Looks up who changes something, with a valid credential or a document token, which the caller checks against the
 * document. Reads what the request asks for in the same round trip.
 *
 * @throws AppError `unauthorized`, and `bad_auth` for a key that may only read.
 */
export async function requireViewer<Found>(
  c: AppContext,
  read: (viewer: Promise<Viewer>) => Promise<Found>,
): Promise<AskedAlongside<Found>> {
  const asked = await askAlongside(c, read, (identity) => identity.require())
  if (!asked.user && readDocumentToken(c) === undefined) throw unauthorized()
  return asked
}

/**
 * Checks a request before it's known who makes it. If the check fails, an invalid credential is reported first.
 *
 * @param authorize throws for an invalid credential.
 */
export async function checkBeforeAsking<Result>(
  check: () => Result | Promise<Result>,
  authorize: () => Promise<unknown>,
): Promise<Result> {
  try {
    return await check()
  } catch (error) {
    await authorize()
    throw error
  }
}
