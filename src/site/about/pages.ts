/** The pages about this server, to load together. */
export { AboutPage } from './about-page.tsx'
export { AbusePage } from './abuse-page.tsx'
export { DocsPage } from './docs-page.tsx'
export { loadReference } from './load-reference.ts'
export { PrivacyPage } from './privacy-page.tsx'
export { TermsPage } from './terms-page.tsx'
