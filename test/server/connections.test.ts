import { once } from 'node:events'
import { Agent, createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { Connections } from '../../server/connections.ts'

it('a server that stops closes the connections that it has answered, and waits for no other requests', async () => {
  const content = 'a'.repeat(10_000_000)
  const server = createServer((_, response) => response.end(content))
  // Node would wait for ever.
  server.keepAliveTimeout = 0
  const connections = new Connections(server)
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
