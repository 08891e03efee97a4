/**
 * The one policy by which this site's own scripts hand addresses to the browser (Trusted Types,
 * w3c.github.io/trusted-types). Only scripts that this site serves under their immutable names pass.
 */
const policy = globalThis.trustedTypes?.createPolicy('regent', {
  createScriptURL: (address) => {
    const url = new URL(address, document.baseURI)
    if (url.origin !== location.origin || !url.pathname.startsWith('/assets/immutable/')) {
      throw new TypeError(`not a script of this site: ${url.pathname}`)
    }
    return url.href
  },
})

/** The address of a script of this site, as `Worker` takes it. */
export const toTrustedScriptUrl = (address: string): string =>
  // Browsers that know Trusted Types take what the policy made; TypeScript's types know text alone.
  (policy?.createScriptURL(address) ?? address) as string
