/** The memory of an isolate, as its inspector tells it: its JavaScript objects and the bytes of its buffers. */
export interface IsolateHeap {
  /** Looks at the memory while an operation runs. Returns the largest number of bytes seen. */
  readonly watch: (operation: () => Promise<unknown>) => Promise<number>
  readonly close: () => void
}

interface HeapUsage {
  readonly usedSize: number
  readonly embedderHeapUsedSize: number
  readonly backingStorageSize: number
}

interface Target {
  readonly webSocketDebuggerUrl: string
}

/** Connects to the inspector of a Worker. */
export async function openIsolateHeap(inspector: URL): Promise<IsolateHeap> {
  const targets = (await (await fetch(`http://${inspector.host}/json`)).json()) as readonly Target[]
  const target = targets.find(({ webSocketDebuggerUrl }) => webSocketDebuggerUrl.includes('core:user'))
  if (!target) throw new Error('The inspector shows no Worker')
  const socket = new WebSocket(target.webSocketDebuggerUrl)
  const waiting = new Map<number, (result: unknown) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id: number; result: unknown }
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  let closed = false
  socket.addEventListener('close', () => {
    closed = true
    for (const resolve of waiting.values()) resolve(null)
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('The inspector refused the connection')))
  })
  let lastId = 0
  const send = (method: string) =>
    new Promise((resolve) => {
      lastId += 1
      waiting.set(lastId, resolve)
      socket.send(JSON.stringify({ id: lastId, method }))
    })
  const getBytes = async () => {
    const usage = (await send('Runtime.getHeapUsage')) as HeapUsage | null
    return usage ? usage.usedSize + usage.embedderHeapUsedSize + usage.backingStorageSize : 0
  }
  return {
    watch: async (operation) => {
      let most = 0
      let ended = false
      const look = async () => {
        while (!ended && !closed) most = Math.max(most, await getBytes())
      }
      const looking = look()
      try {
        await operation()
      } finally {
        ended = true
      }
      await looking
      return most
    },
    close: () => socket.close(),
  }
}
