import { describe, expect, it } from 'vitest'
import { generateApiKey } from '../../src/accounts/key-format.ts'
import { account } from '../support/accounts.ts'
import { countCalls } from '../support/bindings.ts'
import { create, read, send } from '../support/client.ts'
import { countStatuses, from, LIMITED, newAddress, repeat } from './support.ts'

describe('the limit on unknown ids', () => {
  it('lets 60 of 500 probes pass, and then asks no storage', async () => {
    const address = newAddress()
    const { bindings, calls } = countCalls()
    const probe = (index: number) =>
      read(`x${1000 + index}`, {
        bindings: { ...LIMITED, DB: bindings.DB, CONTENTS: bindings.CONTENTS },
        headers: from(address),
      })
    const answers = await repeat(500, probe)
    const statuses = countStatuses(answers)
    expect(statuses).toEqual({ 404: 60, 429: 440 })
    calls.length = 0
    expect((await probe(500)).status).toBe(429)
    expect(calls).toEqual([])
  })

  it('counts the probes of every front end together', async () => {
    const address = newAddress()
    const paths = [(id: string) => `/v1/document/${id}`, (id: string) => `/r/${id}`, (id: string) => `/${id}`]
    const answers = await repeat(90, (index) =>
      send(paths[index % 3]?.(`x${1000 + index}`) ?? '', { headers: from(address) }, { bindings: LIMITED }),
    )
    expect(countStatuses(answers)).toEqual({ 404: 60, 429: 30 })
  })

  it('does not burn what a scan hits once it is limited', async () => {
    const { key } = await account()
    const ids = await repeat(3, async () => (await create('x', { instant_delete: true }, { key })).id)
    const address = newAddress()
    await repeat(60, (index) => read(`x${1000 + index}`, { bindings: LIMITED, headers: from(address) }))
    // A hit before any other probe was refused: no isolate remembers the address yet.
    const [first = '', second = '', third = ''] = ids
    expect((await read(first, { bindings: LIMITED, headers: from(address) })).status).toBe(429)
    const post = (path: string) =>
      send(path, { method: 'POST', headers: from(address) }, { bindings: LIMITED })
    expect((await post(`/r/${second}`)).status).toBe(429)
    expect((await post(`/${third}`)).status).toBe(429)
    const answers = await Promise.all(ids.map((id) => read(id)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  it('counts down the seconds to wait', async () => {
    const address = newAddress()
    const answers = await repeat(70, (index) =>
      read(`x${1000 + index}`, { bindings: LIMITED, headers: from(address) }),
    )
    const waits = answers
      .filter(({ status }) => status === 429)
      .map(({ headers }) => Number(headers.get('Retry-After')))
    expect(waits).toHaveLength(10)
    for (const wait of waits) expect(wait).toSatisfy((seconds: number) => seconds > 0 && seconds <= 60)
  })

  it('does not keep other addresses from reading', async () => {
    const { id } = await create('x')
    const address = newAddress()
    await repeat(61, (index) => read(`x${1000 + index}`, { bindings: LIMITED, headers: from(address) }))
    expect((await read(id, { bindings: LIMITED, headers: from(address) })).status).toBe(429)
    expect((await read(id, { bindings: LIMITED, headers: from(newAddress()) })).status).toBe(200)
  })
})

describe('the limit on invalid API keys', () => {
  it('lets 60 of 100 guesses pass', async () => {
    const address = newAddress()
    const answers = await repeat(100, () =>
      send(
        '/v1/users/@me',
        { headers: { ...from(address), Authorization: generateApiKey() } },
        { bindings: LIMITED },
      ),
    )
    expect(countStatuses(answers)).toEqual({ 401: 60, 429: 40 })
  })
})
