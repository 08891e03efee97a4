/** The question before a document is deleted, in a dialog or on its own page. */
export const DELETE_CONFIRMATION = {
  title: 'Delete this document?',
  button: 'Delete document',
  text: 'The text and its link are gone for good. You can’t undo this.',
} as const
