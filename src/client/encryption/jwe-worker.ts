// Loaded at once: the worker does nothing else.
import '../../shared/jwe-cipher.lazy.ts'
import { JweError } from '../../shared/jwe.ts'
import { type JweAnswer, type JweTask, runJweTask } from './jwe-task.ts'

const answer = (message: JweAnswer) => postMessage(message)

addEventListener('message', async ({ data: { id, task } }: MessageEvent<{ id: number; task: JweTask }>) => {
  try {
    answer({ id, result: await runJweTask(task) })
  } catch (error) {
    answer({
      id,
      result: null,
      error: error instanceof JweError ? error.message : 'Something went wrong in your browser. Try again.',
    })
  }
})
