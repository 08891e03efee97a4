import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { WorkerModule } from '../scripts/support/runtime.ts'
import { createAccount, startWorker } from '../scripts/support/runtime.ts'
import type { LargeRequest, Send } from './large-requests.ts'

/** The memory of an isolate, as its inspector tells it: its JavaScript objects and the bytes of its buffers. */
interface IsolateHeap {
  /** Looks at the memory while an operation runs. Returns the largest number of bytes seen. */
  readonly watch: (operation: () => Promise<unknown>) => Promise<number>
  readonly close: () => void
}

interface HeapUsage {
  readonly usedSize: number
  readonly embedderHeapUsedSize: number
  readonly backingStorageSize: number
}

interface InspectorTarget {
  readonly webSocketDebuggerUrl: string
}

/** Connects to the inspector of a Worker. */
async function openIsolateHeap(inspector: URL): Promise<IsolateHeap> {
  const targets = (await (await fetch(`http://${inspector.host}/json`)).json()) as readonly InspectorTarget[]
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

const MiB = 1024 * 1024

export interface PeakMemory {
  /** The status of the answer, or what happened in place of one: `crash` if the process ran out of memory. */
  readonly outcome: string
  /** The most memory that the isolate was seen to have, and its process grew by, in MiB. */
  readonly isolateMiB: number
  readonly processMiB: number
  readonly ms: number
}

/**
 * The most memory that V8 may use for objects and strings, in MiB. Without a limit it leaves garbage lying about that it
 * would collect in production. An isolate has 128 MiB there, including the bytes of buffers, which this doesn't limit.
 */
const MAX_HEAP_MIB = 80

/** Small requests that load the code before the measurement. */
const warmUp: readonly Send[] = [{}, { encrypted: true }].map(
  (settings) => (url, key) =>
    fetch(`${url}/v1/document`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: key },
      body: JSON.stringify({ content: 'x'.repeat(70_000), settings }),
    }),
)

/** Sends a request. Returns its status, or the code of the error if the connection ends before the answer. */
async function sendOnce(send: Send, url: string, key: string): Promise<string> {
  try {
    const response = await send(url, key)
    await response.arrayBuffer()
    return String(response.status)
  } catch (error) {
    return String((error as { cause?: { code?: string } }).cause?.code ?? error)
  }
}

/** Measures one request in a new process, or several of them at the same time. */
export async function measurePeak(
  modules: readonly WorkerModule[],
  folder: string,
  { prepare }: LargeRequest,
  sideBySide = 1,
): Promise<PeakMemory> {
  process.env.MINIFLARE_WORKERD_V8_FLAGS = `--max-heap-size=${MAX_HEAP_MIB}`
  const worker = await startWorker(modules, await mkdtemp(join(folder, 'memory-')), { RATE_LIMITS: 'off' })
  try {
    const key = await createAccount(worker.database)
    for (const request of warmUp) await sendOnce(request, worker.url, key)
    const send = await prepare(worker.url, key)
    const heap = await openIsolateHeap(await worker.inspector())
    const { now } = await worker.memory()
    const started = performance.now()
    let outcomes: readonly string[] = []
    const isolate = await heap.watch(async () => {
      outcomes = await Promise.all(Array.from({ length: sideBySide }, () => sendOnce(send, worker.url, key)))
    })
    const ms = performance.now() - started
    const peak = await worker.memory().catch(() => null)
    heap.close()
    return {
      outcome: peak ? [...new Set(outcomes)].join(', ') : 'crash',
      isolateMiB: isolate / MiB,
      processMiB: peak ? Math.max(0, peak.peak - now) / MiB : Number.NaN,
      ms,
    }
  } finally {
    await worker.stop().catch(() => {})
  }
}

/** Starts of requests that announce 10 MiB, send 15 bytes or little more, and then nothing. */
const STALLED_UPLOADS: Readonly<
  Record<string, { readonly headers: readonly string[]; readonly start: string | Buffer }>
> = {
  'as text': { headers: ['PUT /notes.txt', 'User-Agent: curl/8.14.1'], start: 'fifteen bytes, ' },
  'as a form': {
    headers: ['POST /', 'User-Agent: curl/8.14.1', 'Content-Type: application/x-www-form-urlencoded'],
    start: 'content=fifteen',
  },
  'as a form of a browser': {
    headers: [
      'POST /',
      'Accept: text/html',
      'Sec-Fetch-Site: same-origin',
      'Content-Type: multipart/form-data; boundary=x',
    ],
    start: '--x\r\nContent-Di',
  },
  'as JSON': { headers: ['POST /v1/document', 'Content-Type: application/json'], start: '{"content":"15 ' },
  'as JSON, with a bogus key': {
    headers: [
      'POST /v1/document',
      'Content-Type: application/json',
      `Authorization: imperial_${'A'.repeat(32)}`,
    ],
    start: '{"content":"15 ',
  },
  // Unpacked, the start has 10 MB.
  'as text, compressed': {
    headers: ['PUT /notes.txt', 'User-Agent: curl/8.14.1', 'Content-Encoding: gzip'],
    start: gzipSync(Buffer.alloc(10_000_000)).subarray(0, 8_000),
  },
}

const STALLED_CONNECTIONS = 60

/** Measures by how much the process grows for uploads that stop after their first bytes, each of them in a new process. */
export async function* measureStalled(modules: readonly WorkerModule[], folder: string) {
  for (const [name, { headers, start }] of Object.entries(STALLED_UPLOADS)) {
    await using worker = await startWorker(modules, await mkdtemp(join(folder, 'stalled-')), {
      RATE_LIMITS: 'off',
    })
    const { host, hostname, port } = new URL(worker.url)
    const [path, ...others] = headers
    const head = [
      `${path} HTTP/1.1`,
      `Host: ${host}`,

      `Content-Length: ${10 * MiB}`,
      ...others,
    ]
    const open = async (count: number) => {
      const sockets = Array.from({ length: count }, () => connect({ host: hostname, port: Number(port) }))
      for (const socket of sockets) {
        socket.on('error', () => {})
        socket.write(`${head.join('\r\n')}\r\n\r\n`)
        socket.write(start)
      }
      await Promise.all(sockets.map((socket) => once(socket, 'connect')))
      return sockets
    }
    // Loads the code.
    for (const socket of await open(1)) socket.destroy()
    await setTimeout(1_000)
    const { now } = await worker.memory()
    const sockets = await open(STALLED_CONNECTIONS)
    await setTimeout(2_000)
    const { peak } = await worker.memory()
    for (const socket of sockets) socket.destroy()
    yield { name, connections: STALLED_CONNECTIONS, processMiB: Math.max(0, peak - now) / MiB }
  }
}
