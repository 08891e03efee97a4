import { once } from 'node:events'
import { Agent, createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { Connections } from '../../server/connections.ts'

it('a server that stops closes the connections that it has answered, and waits for no other requests', async () => {
  const content = 'a'.repeat(10_000_000)
  const server = createServer()
  // Node would wait for ever.
  server.keepAliveTimeout = 0
  const connections = new Connections(server, (_, response) => response.end(content))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const [response] = (await once(
    get({ port, host: '127.0.0.1', agent: new Agent({ keepAlive: true }) }),
    'response',
  )) as [IncomingMessage]
  await once(response, 'readable')
  const closed = connections.close()
  expect(await text(response)).toBe(content)
  await closed
})

it('a client that asks for many pages without reading them loses its connection', async () => {
  let answers = 0
  await using server = createServer()
  new Connections(server, (_, response) => {
    answers += 1
    response.end('a'.repeat(1_000_000))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1').pause()
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.once('error', () => {})
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(200))
  await once(server, 'connection').then(([accepted]) => once(accepted, 'close'))
  expect(answers).toBe(8)
  socket.resume()
  await closed
})

it('an answer that nobody reads ends with its connection, but a body may pause', async () => {
  await using server = createServer()
  new Connections(
    server,
    async (request, response) => response.end((await text(request)).repeat(10_000_000)),
    100,
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const socket = connect(port, '127.0.0.1').pause()
  socket.once('error', () => {})
  const [connection] = await accepted
  socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\na')
  await once(connection, 'timeout')
  expect(connection.destroyed).toBe(false)
  socket.write('b')
  await once(connection, 'close')
  expect(connection.bytesWritten).toBeGreaterThan(0)
  socket.destroy()
})
