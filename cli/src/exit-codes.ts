/** The manual lists the exit codes. */
export const EXIT_CODES = {
  success: 0,
  failure: 1,
  /** Unknown options, missing operands, or no server chosen. */
  usage: 2,
  network: 3,
  /** The server refused the request, or the password is wrong. */
  refused: 4,
  notFound: 5,
  conflict: 6,
  rateLimited: 7,
  server: 8,
  /** The text can't be sent: it isn't text, is empty or too large, or can't be read. */
  input: 9,
  /** The text has secrets, and REGENT_SCAN says that nothing is sent then. */
  secrets: 10,
  /** Ctrl+C: 128 and the number of SIGINT, as in shells. */
  interrupted: 130,
} as const

export type Ending = Exclude<keyof typeof EXIT_CODES, 'success'>

/** An error for the person at the terminal, who sees its message and nothing else. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly ending: Ending
  /** Tells an agent what it can do, where that isn't what the person can. */
  readonly forAgent: string

  constructor(ending: Ending, message: string, forAgent = message) {
    super(message)
    this.ending = ending
    this.forAgent = forAgent
  }
}

/** The reason of the terminal's signal after Ctrl+C. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'

  constructor() {
    super('Interrupted')
  }
}
