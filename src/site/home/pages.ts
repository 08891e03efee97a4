/** The pages for new documents, to load together. */
export { CreatedPage } from './created-page.tsx'
export { HomePage, SignInToCreatePage } from './home-page.tsx'
