/** The pages of an account, to load together. */
export { AccountPage } from './account-page.tsx'
export { ConfirmIdentityPage, DeleteAccountPage } from './deletion/deletion-pages.tsx'
export { ProfilePage } from './profile-page.tsx'
