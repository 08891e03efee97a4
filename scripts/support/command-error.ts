/** An error that the person at the terminal can fix. They see its message and nothing else. */
export class CommandError extends Error {}
