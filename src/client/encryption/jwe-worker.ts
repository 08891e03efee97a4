// Loaded at once: the worker does nothing else.
import '../../shared/jwe-cipher.lazy.ts'
import { answerJweTask, type JweTask } from './jwe-task.ts'

addEventListener('message', async ({ data: { id, task } }: MessageEvent<{ id: number; task: JweTask }>) =>
  postMessage(await answerJweTask(id, task)),
)
