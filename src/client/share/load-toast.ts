import { isJustShared } from './just-shared.ts'

// Only the page after sharing needs the toast, and readers shouldn't load it.
if (isJustShared()) void import('./share-toast.ts').then(({ showShareToast }) => showShareToast())
