/** As much of Trusted Types as this site uses; TypeScript's own types do not have them. */
interface TrustedTypePolicy {
  createScriptURL(address: string): { toString(): string }
}

declare var trustedTypes:
  | {
      createPolicy(name: string, rules: { createScriptURL: (address: string) => string }): TrustedTypePolicy
    }
  | undefined
