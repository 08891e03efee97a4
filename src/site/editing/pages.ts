/** The pages for editing documents, to load together. */
export { ConflictPage, EditPage, LockedPage } from './edit-pages.tsx'
export { EditorsPage } from './editors-page.tsx'
