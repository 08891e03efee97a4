import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { CliError, Interrupted } from '../exit-codes.ts'
import type { Terminal } from './terminal.ts'

const createSilence = () => new Writable({ write: (_chunk, _encoding, done) => done() })

/**
 * @param advice what to do instead without a terminal, as the end of an error message.
 * @throws CliError `usage` if there is no terminal, and Interrupted after Ctrl+C.
 */
export async function askSecret(terminal: Terminal, question: string, advice: string): Promise<string> {
  const conversation = terminal.openConversation()
  if (!conversation) throw new CliError('usage', `There’s no terminal to ask at. ${advice}`)
  const { input, output, close } = conversation
  // From here on, the terminal doesn't show typed characters, so users can type as soon as they see the question.
  const reader = createInterface({ input, output: createSilence(), terminal: true })
  output.write(question)
  try {
    return await new Promise<string>((resolve, reject) => {
      const interrupt = () => reject(new Interrupted())
      reader.once('line', resolve)
      reader.once('SIGINT', interrupt)
      // Ctrl+D, or the end of input.
      reader.once('close', interrupt)
      terminal.signal.addEventListener('abort', interrupt, { once: true })
    })
  } finally {
    reader.close()
    output.write('\n')
    close()
  }
}
