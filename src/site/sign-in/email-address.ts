/** Returns true if a text looks like an email address. The emailed link proves that it exists. */
export async function isEmail(candidate: string): Promise<boolean> {
  const { emailAddress } = await import('./email-address-schema.ts')
  return emailAddress.safeParse(candidate).success
}
