import { afterEach, describe, expect, it, vi } from 'vitest'
import { AppError } from '../../src/errors.ts'
import { IsolateMemory, RequestMemory } from '../../src/platform/request-memory.ts'
import { streamCounted } from '../../src/platform/streaming.ts'

const KiB = 1024
const MiB = 1024 * KiB
const create = (maxWaitMs = 100) =>
  new IsolateMemory({ transferBytes: 32 * MiB, totalBytes: 92 * MiB, maxWaitMs })

let networks = 0
/** Returns the memory of a request, each from a network of its own. */
const request = (memory: IsolateMemory, network = `network ${networks++}`) =>
  new RequestMemory(() => network, memory)

const refusal = expect.objectContaining({ status: 503, headers: { 'Retry-After': '5' } })

afterEach(() => {
  vi.useRealTimers()
})

describe('the memory of an isolate', () => {
  it('is reserved from the first byte', async () => {
    const memory = create()
    const [first, second] = [request(memory), request(memory)]
    await first.transfer(15, 10 * MiB)
    expect(memory.getReservedBytes()).toBe(15)
    await first.transfer(10 * MiB)
    await second.process(60 * MiB)
    expect(memory.getReservedBytes()).toBe(70 * MiB)
    first.release()
    second.release()
    expect(memory.getReservedBytes()).toBe(0)
  })

  it('is refused with Retry-After if there is not enough for too long', async () => {
    const memory = create()
    await request(memory).process(60 * MiB)
    await expect(request(memory).process(60 * MiB)).rejects.toEqual(refusal)
    await request(memory).transfer(30 * MiB)
    await expect(request(memory).transfer(10 * MiB)).rejects.toEqual(refusal)
    await expect(request(memory).reserveForAnswer(10 * MiB, { encrypted: false })).rejects.toThrow(AppError)
  })

  it('goes to a request that waits for it', async () => {
    const memory = create(10_000)
    const [first, second] = [request(memory), request(memory)]
    await first.process(60 * MiB)
    const waiting = second.process(60 * MiB)
    first.release()
    await waiting
    expect(memory.getReservedBytes()).toBe(60 * MiB)
  })

  it('is enough for a request that is alone, however large', async () => {
    const memory = create()
    await request(memory).transfer(500 * MiB)
    await request(create()).process(500 * MiB)
  })

  it('is free again if a request ends without a word', async () => {
    vi.useFakeTimers()
    const memory = create()
    // Nothing renews this one.
    const none = { missingBytes: 0, processingBytes: 0, wantedAt: 0, transferBytes: 5 * MiB }
    memory.keep({ network: 'gone', seenAt: 0, ...none })
    await request(memory).transfer(20 * MiB)
    expect(memory.getReservedBytes()).toBe(25 * MiB)
    vi.advanceTimersByTime(5_000)
    expect(memory.getReservedBytes()).toBe(20 * MiB)
  })

  it('never makes requests wait for each other in a circle', async () => {
    const memory = create(10_000)
    let most = 0
    const upload = async () => {
      const upload = request(memory)
      for (let size = MiB; size <= 10 * MiB; size += MiB) {
        await upload.transfer(size, 10 * MiB - size)
        most = Math.max(most, memory.getReservedBytes())
        await new Promise((resolve) => setTimeout(resolve))
      }
      await upload.processArrived(10 * MiB)
      upload.release()
    }
    await Promise.all(Array.from({ length: 8 }, upload))
    expect(memory.getReservedBytes()).toBe(0)
    expect(most).toBeLessThanOrEqual(92 * MiB)
  })
})

describe('the share of a network', () => {
  it('is one transfer of any size', async () => {
    const memory = create()
    await request(memory, 'one').transfer(20 * MiB)
    await expect(request(memory, 'one').transfer(MiB)).rejects.toEqual(refusal)
    await request(memory, 'another').transfer(10 * MiB)
  })

  it('is a quarter of the bytes for several', async () => {
    const memory = create()
    for (let count = 0; count < 8; count++) await request(memory, 'one').transfer(MiB)
    await expect(request(memory, 'one').transfer(MiB)).rejects.toEqual(refusal)
    expect(memory.getReservedBytes()).toBe(8 * MiB)
  })

  it('is a quarter of the bytes for many small ones', async () => {
    const memory = create()
    for (let count = 0; count < 16; count++) await request(memory, 'one').transfer(MiB / 2)
    await expect(request(memory, 'one').transfer(MiB / 2)).rejects.toEqual(refusal)
    expect(memory.getReservedBytes()).toBe(8 * MiB)
    await request(memory, 'another').transfer(10 * MiB)
  })

  it('is one large transfer, in whatever order those that began grow', async () => {
    const memory = create()
    const uploads = Array.from({ length: 3 }, () => request(memory, 'one'))
    for (const upload of uploads) await upload.transfer(1, 10 * MiB)
    const [first, second, third] = uploads
    await expect(third?.transfer(10 * MiB)).rejects.toEqual(refusal)
    await expect(second?.transfer(10 * MiB)).rejects.toEqual(refusal)
    await first?.transfer(10 * MiB)
  })

  it('lets the oldest of many small ones finish', async () => {
    const memory = create()
    const uploads = Array.from({ length: 20 }, () => request(memory, 'one'))
    for (const upload of uploads) await upload.transfer(409 * KiB, 91 * KiB)
    const [first, second] = uploads
    await expect(second?.transfer(500 * KiB)).rejects.toEqual(refusal)
    await first?.transfer(500 * KiB)
    first?.release()
    await second?.transfer(500 * KiB)
  })

  it('counts large answers too', async () => {
    const memory = create()
    const reader = request(memory, 'one')
    await reader.reserveForAnswer(10 * MiB, { encrypted: false })
    const end = reader.send()
    reader.release()
    expect(memory.getReservedBytes()).toBe(10 * MiB)
    await expect(request(memory, 'one').reserveForAnswer(MiB, { encrypted: false })).rejects.toEqual(refusal)
    await request(memory, 'another').reserveForAnswer(10 * MiB, { encrypted: false })
    end()
    await request(memory, 'one').reserveForAnswer(MiB, { encrypted: false })
  })

  it('is not larger because of what is only announced', async () => {
    const memory = create()
    for (let count = 0; count < 60; count++) await request(memory).transfer(16 * 1024, 30 * MiB)
    for (let count = 0; count < 3; count++) await request(memory).transfer(5 * MiB, 0)
    await expect(request(memory).transfer(5 * MiB, 0)).rejects.toEqual(refusal)
  })
})

it('a network with small transfers still has one of any size', async () => {
  const memory = create()
  for (let n = 0; n < 10; n++) await request(memory, 'shared').transfer(16 * 1024)
  await request(memory, 'shared').transfer(10 * MiB)
  await expect(request(memory, 'shared').transfer(10 * MiB)).rejects.toEqual(refusal)
})

it('a network with a large transfer still has a quarter for small ones', async () => {
  const memory = create()
  await request(memory, 'shared').transfer(10 * MiB)
  for (let count = 0; count < 16; count++) await request(memory, 'shared').transfer(MiB / 2)
  await expect(request(memory, 'shared').transfer(MiB / 2)).rejects.toEqual(refusal)
})

describe('a slow client', () => {
  /** A request whose client lets it wait. It ends as soon as it is dropped. */
  function stall(memory: IsolateMemory, network?: string) {
    const stalled = request(memory, network)
    const onDropped = vi.fn(() => stalled.release())
    return { stalled, onDropped, wait: () => stalled.waitForClient(onDropped) }
  }

  it('loses its memory once others wait for it, and not before', async () => {
    vi.useFakeTimers()
    const memory = create(5_000)
    const uploads = Array.from({ length: 4 }, () => stall(memory))
    for (const { stalled, wait } of uploads) {
      await stalled.transfer(7 * MiB, 3 * MiB)
      wait()
    }
    await vi.advanceTimersByTimeAsync(20_000)
    expect(uploads[0]?.onDropped).not.toHaveBeenCalled()
    const other = request(memory).transfer(10 * MiB)
    await vi.advanceTimersByTimeAsync(2_000)
    await other
    expect(uploads.some(({ onDropped }) => onDropped.mock.calls.length > 0)).toBe(true)
  })

  it('loses it too if it never begins to read its answer', async () => {
    vi.useFakeTimers()
    const memory = create(5_000)
    const reader = request(memory)
    await reader.transfer(30 * MiB)
    const body = streamCounted(new Response('text').body ?? new ReadableStream(), reader)
    await vi.advanceTimersByTimeAsync(4_000)
    const other = request(memory).transfer(10 * MiB)
    await vi.advanceTimersByTimeAsync(2_000)
    await other
    await expect(body.getReader().read()).rejects.toThrow()
  })

  it('loses it too if it sends a byte now and then', async () => {
    vi.useFakeTimers()
    const memory = create(5_000)
    const slow = stall(memory)
    const fast = stall(memory)
    for (const { stalled, wait } of [slow, fast]) {
      await stalled.transfer(14 * MiB, 0)
      wait()
    }
    const other = request(memory).transfer(10 * MiB)
    for (let second = 0; second < 5; second++) {
      slow.stalled.stopWaiting(1)
      fast.stalled.stopWaiting(32 * 1024)
      for (const { wait } of [slow, fast]) wait()
      await vi.advanceTimersByTimeAsync(1_000)
    }
    await other
    expect(slow.onDropped).toHaveBeenCalledOnce()
    expect(fast.onDropped).not.toHaveBeenCalled()
  })

  it('is not dropped because another network has used up its share', async () => {
    vi.useFakeTimers()
    const memory = create(5_000)
    const [own, others] = [stall(memory, 'one'), stall(memory)]
    for (const { stalled, wait } of [own, others]) {
      await stalled.transfer(8 * MiB, 0)
      wait()
    }
    const second = request(memory, 'one').transfer(MiB)
    await vi.advanceTimersByTimeAsync(5_000)
    await second
    expect(own.onDropped).toHaveBeenCalledOnce()
    expect(others.onDropped).not.toHaveBeenCalled()
  })
})

describe('the memory of a request', () => {
  it('is not counted for reading up to 512 KiB', async () => {
    const memory = create()
    await request(memory).reserveForAnswer(512 * 1024, { encrypted: true })
    expect(memory.getReservedBytes()).toBe(0)
  })

  it('grows without waiting while it is large, and is free after the request', async () => {
    const memory = create()
    const large = request(memory)
    await large.reserveForAnswer(10 * MiB, { encrypted: true })
    await large.reserveForAnswer(10 * MiB, { encrypted: true })
    expect(memory.getReservedBytes()).toBe(110 * MiB)
    large.release()
    expect(memory.getReservedBytes()).toBe(0)
    await large.reserveForAnswer(10 * MiB, { encrypted: false })
    expect(memory.getReservedBytes()).toBe(0)
  })

  it('is free if it comes only after the end of the request', async () => {
    const memory = create(10_000)
    const [other, late] = [request(memory), request(memory)]
    await other.process(90 * MiB)
    const reserving = late.reserveForAnswer(10 * MiB, { encrypted: false })
    late.release()
    other.release()
    await reserving
    expect(memory.getReservedBytes()).toBe(0)
  })
})
