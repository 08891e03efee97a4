declare global {
  /** The part of Trusted Types that this site uses; TypeScript's DOM types lack them. */
  var trustedTypes:
    | {
        createPolicy(
          name: string,
          rules: { createScriptURL: (address: string) => string },
        ): { createScriptURL(address: string): { toString(): string } }
      }
    | undefined
}

/** The Trusted Types policy (w3c.github.io/trusted-types) accepts only this site's own built scripts. */
const policy = globalThis.trustedTypes?.createPolicy('regent', {
  createScriptURL: (address) => {
    const url = new URL(address, document.baseURI)
    if (url.origin !== location.origin || !url.pathname.startsWith('/assets/immutable/')) {
      throw new TypeError(`not a script of this site: ${url.pathname}`)
    }
    return url.href
  },
})

export const toTrustedScriptUrl = (address: string): string =>
  // Where Trusted Types exist this is a TrustedScriptURL; TypeScript's types for Worker only accept a string.
  (policy?.createScriptURL(address) ?? address) as string
