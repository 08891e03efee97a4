/** What is asked before a document is deleted, in a dialog or on a page of its own. */
export const DELETE_QUESTION = {
  title: 'Delete this document?',
  button: 'Delete document',
  words: 'Its text and its link are gone for everybody, at once and for ever.',
} as const
