/** The part of Trusted Types that this site uses; TypeScript's DOM types lack them. */
interface TrustedTypePolicy {
  createScriptURL(address: string): { toString(): string }
}

declare var trustedTypes:
  | {
      createPolicy(name: string, rules: { createScriptURL: (address: string) => string }): TrustedTypePolicy
    }
  | undefined
