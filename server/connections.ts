import type { RequestListener, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'

interface SocketState {
  /** How many bytes had come when the last answer ended. */
  readonly answeredBytes: number
  readonly openAnswers: number
}

/**
 * Answers that are under way on one connection. Clients wait for an answer before they ask again, as browsers and curl do.
 * Of others, each would keep a whole page in memory.
 */
const MAX_OPEN_ANSWERS = 8

/** If nothing moves for this long, nobody reads the answers. A body may pause: what a pipe sends takes as long as it takes. */
const IDLE_MS = 60_000

/**
 * Stops a server without cutting an answer off: Node's own `close` drops answers that it has been given but hasn't sent yet, and
 * goes on taking requests on connections that were busy.
 * Closes connections on which answers that nobody reads take memory.
 */
export class Connections {
  readonly #server: Server
  readonly #answers = new Set<ServerResponse>()
  readonly #sockets = new Map<Socket, SocketState>()
  #isClosing = false

  /** Takes over the requests of the server. */
  constructor(server: Server, answer: RequestListener, idleMs = IDLE_MS) {
    this.#server = server
    // Node's own timeouts of idle connections come here, too.
    server.setTimeout(idleMs, (socket) => {
      if (this.#sockets.get(socket)?.openAnswers && socket.writableLength === 0) return
      socket.destroy()
    })
    server.on('connection', (socket) => {
      this.#sockets.set(socket, { answeredBytes: 0, openAnswers: 0 })
      socket.once('close', () => this.#sockets.delete(socket))
    })
    server.on('request', (request, response) => {
      const { socket } = request
      if (this.#count(socket, 1) > MAX_OPEN_ANSWERS) socket.destroy()
      // Node goes on with the requests that it has read.
      if (socket.destroyed) return
      this.#answers.add(response)
      // Node then answers with "Connection: close", and closes the connection.
      if (this.#isClosing) response.shouldKeepAlive = false
      response.once('close', () => {
        this.#answers.delete(response)
        this.#count(socket, -1)
        if (this.#isClosing) socket.destroySoon()
      })
      answer(request, response)
    })
  }

  #count(socket: Socket, change: 1 | -1): number {
    const state = this.#sockets.get(socket)
    if (!state) return 0
    const openAnswers = state.openAnswers + change
    const answeredBytes = change < 0 && !this.#isClosing ? socket.bytesRead : state.answeredBytes
    this.#sockets.set(socket, { answeredBytes, openAnswers })
    return openAnswers
  }

  /** Takes no new connections, and closes idle ones. Resolves once all requests are answered that have begun. */
  close(): Promise<void> {
    this.#isClosing = true
    const closed = new Promise<void>((resolve) =>
      NetServer.prototype.close.call(this.#server, () => resolve()),
    )
    const busy = new Set([...this.#answers].map(({ req }) => req.socket))
    for (const response of this.#answers) response.shouldKeepAlive = false
    for (const [socket, { answeredBytes }] of this.#sockets)
      if (!busy.has(socket) && socket.bytesRead === answeredBytes) socket.destroy()
    return closed
  }
}
