/** The pages for writing documents, to load together. */
export { CreatedPage } from './created-page.tsx'
export { ConflictPage, EditPage, LockedPage } from './edit-pages.tsx'
export { EditorsPage } from './editors-page.tsx'
export { HomePage, SignInToCreatePage } from './home-page.tsx'
