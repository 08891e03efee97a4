/** Every email, to load together. */
export * from './account-emails.ts'
export { signInEmail } from './sign-in-email.ts'
