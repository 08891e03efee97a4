/** The pages about this server, to load together. */
export { AboutPage } from './about-page.tsx'
export { ApiPage } from './api-page.tsx'
export { PrivacyPage } from './privacy-page.tsx'
export { TermsPage } from './terms-page.tsx'
