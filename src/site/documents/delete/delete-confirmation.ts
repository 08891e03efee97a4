/** The question before a document is deleted, in a dialog or on its own page. */
export const DELETE_CONFIRMATION = {
  title: 'Delete this document?',
  button: 'Delete document',
  text: 'Its link will stop working. You can’t undo this.',
} as const
