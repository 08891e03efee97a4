/** Domains of Google Mail, which ignores dots before the `@`. */
const GOOGLE_DOMAINS: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com'])

/**
 * Returns the mailbox that an address belongs to: without a sub-address (RFC 5233), and for Google Mail without dots.
 *
 * @example
 * toMailbox('Ada.Lovelace+regent@gmail.com') // 'adalovelace@gmail.com'
 */
export function toMailbox(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1).toLowerCase()
  const [name = ''] = email.slice(0, at).toLowerCase().split('+', 1)
  return GOOGLE_DOMAINS.has(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`
}
