declare global {
  /** The part of Trusted Types that this site uses; TypeScript's DOM types lack them. */
  var trustedTypes: { createPolicy(name: string, rules: Policy): Policy } | undefined
}

interface Policy {
  createScriptURL(address: string): string
}

/** Trusted Types (w3c.github.io/trusted-types) accept only this site's own built scripts. */
const POLICY: Policy = {
  createScriptURL: (address) => {
    const url = new URL(address, document.baseURI)
    if (url.origin !== location.origin || !url.pathname.startsWith('/assets/immutable/')) {
      throw new TypeError(`not a script of this site: ${url.pathname}`)
    }
    return url.href
  },
}

/** A page may create it once. */
let policy: Policy | undefined

export function startWorker(address: string): Worker {
  policy ??= globalThis.trustedTypes?.createPolicy('regent', POLICY)
  // Where Trusted Types exist this is a TrustedScriptURL; TypeScript's types for Worker only accept a string.
  return new Worker(policy?.createScriptURL(address) ?? address, { type: 'module' })
}
