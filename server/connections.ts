import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'

/**
 * Stops a server without cutting an answer off: Node's own `close` drops answers that it has been given but hasn't sent yet, and
 * goes on taking requests on connections that were busy.
 */
export class Connections {
  readonly #server: Server
  readonly #answers = new Set<ServerResponse>()
  /** How many bytes a connection had brought when its last answer ended. */
  readonly #answeredBytes = new Map<Socket, number>()
  #isClosing = false

  constructor(server: Server) {
    this.#server = server
    server.on('connection', (socket) => {
      this.#answeredBytes.set(socket, 0)
      socket.once('close', () => this.#answeredBytes.delete(socket))
    })
    server.on('request', ({ socket }, response) => {
      this.#answers.add(response)
      // Node then answers with "Connection: close", and closes the connection.
      if (this.#isClosing) response.shouldKeepAlive = false
      response.once('close', () => {
        this.#answers.delete(response)
        if (this.#isClosing) socket.destroySoon()
        else if (this.#answeredBytes.has(socket)) this.#answeredBytes.set(socket, socket.bytesRead)
      })
    })
  }

  /** Takes no new connections, and closes idle ones. Resolves once all requests are answered that have begun. */
  close(): Promise<void> {
    this.#isClosing = true
    const closed = new Promise<void>((resolve) =>
      NetServer.prototype.close.call(this.#server, () => resolve()),
    )
    const busy = new Set([...this.#answers].map(({ req }) => req.socket))
    for (const response of this.#answers) response.shouldKeepAlive = false
    for (const [socket, bytes] of this.#answeredBytes)
      if (!busy.has(socket) && socket.bytesRead === bytes) socket.destroy()
    return closed
  }
}
