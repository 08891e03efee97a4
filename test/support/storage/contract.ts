import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** What the app may expect of D1 and KV. The simulators and the server of one machine pass the same cases. */

export interface Bindings {
  readonly DB: D1Database
  readonly CONTENTS: KVNamespace
}

const TABLES = ['contract_children', 'contract_items']

const SCHEMA = [
  `CREATE TABLE contract_items (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, size INTEGER CHECK (size >= 0), data BLOB
  ) STRICT`,
  `CREATE TABLE contract_children (
    item_id INTEGER NOT NULL REFERENCES contract_items (id) ON DELETE CASCADE
  ) STRICT`,
  `CREATE TRIGGER contract_refusal BEFORE INSERT ON contract_items WHEN NEW.name = 'refused'
    BEGIN SELECT RAISE(ABORT, 'this name is refused'); END`,
]

const readAll = async (stream: ReadableStream): Promise<Uint8Array> =>
  new Uint8Array(await new Response(stream).arrayBuffer())

function describeDatabase(find: () => D1Database): void {
  const all = async (sql: string, ...values: unknown[]) =>
    (
      await find()
        .prepare(sql)
        .bind(...values)
        .all()
    ).results
  const insert = (name: string, size = 1) =>
    find().prepare('INSERT INTO contract_items (name, size) VALUES (?1, ?2)').bind(name, size)
  const getError = (call: Promise<unknown>): Promise<string> =>
    call.then(
      () => 'no error',
      (error: Error) => error.message,
    )

  it.each([
    ['null', null, null, 'null'],
    ['an integer', 42, 42, 'real'],
    ['a fraction', 1.5, 1.5, 'real'],
    ['a large integer', 2 ** 52 + 1, 2 ** 52 + 1, 'real'],
    ['true', true, 1, null],
    ['an empty text', '', '', 'text'],
    [
      'a text of every kind of character',
      'a"\'\u00e9\u20ac\u{1f600}\n',
      'a"\'\u00e9\u20ac\u{1f600}\n',
      'text',
    ],
    ['bytes', new Uint8Array([0, 1, 255]), [0, 1, 255], 'blob'],
    ['a buffer', new Uint8Array([7]).buffer, [7], 'blob'],
  ])('returns %s as it was bound', async (_, value, returned, type) => {
    const [row] = await all('SELECT ?1 AS value, typeof(?1) AS type', value)
    expect(row?.value).toEqual(returned)
    if (type !== null) expect(row?.type).toBe(type)
  })

  it('keeps a NUL character in a text', async () => {
    expect(await all('SELECT ?1 AS value, length(CAST(?1 AS BLOB)) AS bytes', 'a\0b')).toEqual([
      { value: 'a\0b', bytes: 3 },
    ])
  })

  it('returns integers that are too big as the nearest number', async () => {
    const sql = 'SELECT 9007199254740993 AS big, 9223372036854775807 AS biggest, 1 AS small'
    expect(await all(sql)).toEqual([{ big: 2 ** 53, biggest: 2 ** 63, small: 1 }])
    const returned = await all(
      "INSERT INTO contract_items (name, size) VALUES ('big', 9007199254740993) RETURNING size, name",
    )
    expect(returned).toEqual([{ size: 2 ** 53, name: 'big' }])
    expect(await all("SELECT count(*) AS count FROM contract_items WHERE name = 'big'")).toEqual([
      { count: 1 },
    ])
  })

  it('refuses undefined', () => {
    expect(() => find().prepare('SELECT ?1').bind(undefined)).toThrow(/D1_TYPE_ERROR/)
  })

  it('counts changes, and returns what RETURNING says', async () => {
    const { meta, results } = await find()
      .prepare("INSERT INTO contract_items (id, name) VALUES (901, 'r1'), (902, 'r2') RETURNING id")
      .run()
    expect(results).toEqual([{ id: 901 }, { id: 902 }])
    expect(meta).toMatchObject({ changes: 2, last_row_id: 902, changed_db: true })
    const none = await find().prepare("UPDATE contract_items SET size = 2 WHERE name = 'nothing'").run()
    expect(none.meta).toMatchObject({ changes: 0 })
    const read = await find().prepare('SELECT 1').all()
    expect(read.meta).toMatchObject({ changes: 0, changed_db: false })
  })

  it('returns one row, one column of it, or lists of values', async () => {
    const statement = find().prepare("SELECT 1 AS one, 'x' AS text UNION ALL SELECT 2, 'y'")
    expect(await statement.first()).toEqual({ one: 1, text: 'x' })
    expect(await statement.first('text')).toBe('x')
    await expect(statement.first('other')).rejects.toThrow(/D1_ERROR|D1_COLUMN_NOTFOUND/)
    expect(await find().prepare('SELECT 1 WHERE 0').first()).toBeNull()
    expect(await statement.raw()).toEqual([
      [1, 'x'],
      [2, 'y'],
    ])
    expect(await statement.raw({ columnNames: true })).toEqual([
      ['one', 'text'],
      [1, 'x'],
      [2, 'y'],
    ])
  })

  it('names what refused a statement', async () => {
    await insert('taken').run()
    expect(await getError(insert('taken').run())).toMatch(
      /^D1_ERROR: UNIQUE constraint failed: contract_items\.name: SQLITE_CONSTRAINT/,
    )
    expect(await getError(insert('negative', -1).run())).toMatch(/CHECK constraint failed.*SQLITE_CONSTRAINT/)
    expect(await getError(insert('refused').run())).toMatch(/this name is refused.*SQLITE_CONSTRAINT/)
    expect(await getError(all('INSERT INTO contract_items (name) VALUES (NULL)'))).toMatch(
      /NOT NULL constraint failed: contract_items\.name.*SQLITE_CONSTRAINT/,
    )
    expect(await getError(all('INSERT INTO contract_children VALUES (-1)'))).toMatch(
      /FOREIGN KEY constraint failed.*SQLITE_CONSTRAINT/,
    )
    expect(await getError(all('SELECT 1 FROM contract_nothing'))).toMatch(
      /^D1_ERROR: no such table: contract_nothing.*SQLITE_ERROR/,
    )
    expect(await getError(all('SELECT missing FROM contract_items'))).toMatch(/no such column: missing/)
    expect(await getError(all('SELEKT 1'))).toMatch(/syntax error.*SQLITE_ERROR/)
    expect(await getError(all("INSERT INTO contract_items (name, size) VALUES ('t', 'text')"))).toMatch(
      /cannot store TEXT value in INTEGER column.*SQLITE_CONSTRAINT/,
    )
  })

  it('runs a batch as one transaction, each statement after the other', async () => {
    const results = await find().batch([
      insert('b1'),
      find().prepare("SELECT name FROM contract_items WHERE name = 'b1'"),
      find().prepare("DELETE FROM contract_items WHERE name = 'b1' RETURNING name"),
    ])
    expect(results.map((result) => result.results)).toEqual([[], [{ name: 'b1' }], [{ name: 'b1' }]])
    const failing = find().batch([insert('b2'), insert('b3'), insert('b2')])
    expect(await getError(failing)).toMatch(/UNIQUE constraint failed/)
    expect(await all("SELECT name FROM contract_items WHERE name IN ('b2', 'b3')")).toEqual([])
  })

  it('runs writes at the same time one after the other, and a failing one alone fails', async () => {
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 20 }, (_, index) => insert(`p${index % 10}`).run()),
      find().batch([insert('p20'), insert('p0')]),
    ])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    expect(await all("SELECT count(*) AS count FROM contract_items WHERE name LIKE 'p%'")).toEqual([
      { count: 10 },
    ])
    const claim = () => all("DELETE FROM contract_items WHERE name = 'p1' RETURNING name")
    const claims = await Promise.all(Array.from({ length: 20 }, claim))
    expect(claims.filter(({ length }) => length === 1)).toHaveLength(1)
  })

  it('applies foreign keys', async () => {
    await all("INSERT INTO contract_items (id, name) VALUES (-911, 'parent')")
    await all('INSERT INTO contract_children VALUES (-911)')
    await all('DELETE FROM contract_items WHERE id = -911')
    expect(await all('SELECT * FROM contract_children')).toEqual([])
  })

  it('reads lists with json_each, and its own functions', async () => {
    expect(await all('SELECT value FROM json_each(?1) ORDER BY value', JSON.stringify(['b', 'a']))).toEqual([
      { value: 'a' },
      { value: 'b' },
    ])
    expect(await all("SELECT hex(unhex('00ff')) AS hex, unixepoch('2026-01-01') AS at")).toEqual([
      { hex: '00FF', at: 1_767_225_600 },
    ])
  })

  it('answers in sessions', async () => {
    const session = find().withSession('first-primary')
    expect(await session.prepare('SELECT 1 AS one').first()).toEqual({ one: 1 })
    const [result] = await session.batch([session.prepare('SELECT 2 AS two')])
    expect(result?.results).toEqual([{ two: 2 }])
  })
}

function describeNamespace(find: () => KVNamespace): void {
  it('returns a value in every type, byte for byte', async () => {
    const text = '{"a": "\u00e9\u{1f600}"}'
    await find().put('contract/value', text)
    expect(await find().get('contract/value')).toBe(text)
    expect(await find().get('contract/value', 'json')).toEqual({ a: '\u00e9\u{1f600}' })
    expect(await find().get('contract/value', { type: 'arrayBuffer', cacheTtl: 30 })).toEqual(
      new TextEncoder().encode(text).buffer,
    )
    const stream = await find().get('contract/value', 'stream')
    expect(stream && (await readAll(stream))).toEqual(new TextEncoder().encode(text))
  })

  it.each([0, 1, 256 * 1024, 256 * 1024 + 1, 3_000_000])('stores %i bytes', async (size) => {
    const bytes = Uint8Array.from({ length: size }, (_, index) => (index * 7 + (index >> 8)) % 256)
    await find().put('contract/bytes', bytes)
    const buffer = await find().get('contract/bytes', 'arrayBuffer')
    expect(buffer !== null && new Uint8Array(buffer).every((byte, index) => byte === bytes[index])).toBe(true)
    expect(buffer?.byteLength).toBe(size)
    const stream = await find().get('contract/bytes', 'stream')
    const read = stream && (await readAll(stream))
    expect(read?.byteLength).toBe(size)
    expect(read?.every((byte, index) => byte === bytes[index])).toBe(true)
  })

  it('stores a view and a stream', async () => {
    await find().put('contract/view', new Uint8Array([1, 2, 3, 4]).subarray(1, 3))
    expect(new Uint8Array((await find().get('contract/view', 'arrayBuffer')) ?? [])).toEqual(
      new Uint8Array([2, 3]),
    )
    const { body } = new Response('of a stream')
    if (body) await find().put('contract/stream', body)
    expect(await find().get('contract/stream')).toBe('of a stream')
  })

  it('returns null for what is missing or deleted', async () => {
    for (const type of ['text', 'json', 'arrayBuffer', 'stream'] as const)
      expect(await find().get('contract/missing', { type: type as 'text' })).toBeNull()
    expect(await find().getWithMetadata('contract/missing')).toMatchObject({ value: null, metadata: null })
    await find().put('contract/deleted', 'x')
    await find().delete('contract/deleted')
    await find().delete('contract/deleted')
    expect(await find().get('contract/deleted')).toBeNull()
  })

  it('replaces a value with its metadata', async () => {
    await find().put('contract/replaced', 'first', { metadata: { a: 1 } })
    expect(await find().getWithMetadata('contract/replaced')).toMatchObject({
      value: 'first',
      metadata: { a: 1 },
    })
    await find().put('contract/replaced', 'second')
    expect(await find().getWithMetadata('contract/replaced')).toMatchObject({
      value: 'second',
      metadata: null,
    })
  })

  it('reads several values at once', async () => {
    await find().put('contract/bulk', 'x', { metadata: 1 })
    const values = await find().get(['contract/bulk', 'contract/missing'])
    expect([...values]).toEqual([
      ['contract/bulk', 'x'],
      ['contract/missing', null],
    ])
  })

  it('lists names in the order of their bytes, page by page', async () => {
    const names = ['a', 'a/b', 'b', 'B', '\u00e9', '\u{1f600}', '\uffee'].map(
      (name) => `contract-list/${name}`,
    )
    for (const name of names) await find().put(name, 'x', { metadata: { name } })
    await find().put('contract-lisu', 'x')
    const listed: string[] = []
    let cursor: string | null = null
    for (let page = 1; page <= 10; page += 1) {
      const result: KVNamespaceListResult<{ name: string }> = await find().list({
        prefix: 'contract-list/',
        limit: 2,
        cursor,
      })
      for (const key of result.keys) expect(key.metadata).toEqual({ name: key.name })
      listed.push(...result.keys.map(({ name }) => name))
      if (result.list_complete) break
      cursor = result.cursor
    }
    const bytes = (text: string) =>
      [...new TextEncoder().encode(text)].map((byte) => String(byte).padStart(3, '0')).join()
    expect(listed).toEqual(names.toSorted((one, other) => (bytes(one) < bytes(other) ? -1 : 1)))
  })

  it('lists when a value expires', async () => {
    const expiration = Math.floor(Date.now() / 1_000) + 3_600
    await find().put('contract-expiry/a', 'x', { expiration })
    await find().put('contract-expiry/b', 'x', { expirationTtl: 60 })
    const { keys } = await find().list({ prefix: 'contract-expiry/' })
    expect(keys[0]).toMatchObject({ name: 'contract-expiry/a', expiration })
    expect(keys[1]?.expiration).toBeGreaterThanOrEqual(Math.floor(Date.now() / 1_000) + 50)
    expect(await find().get('contract-expiry/b')).toBe('x')
  })

  it('refuses what KV refuses', async () => {
    await expect(find().put('contract/ttl', 'x', { expirationTtl: 59 })).rejects.toThrow(/at least 60/)
    await expect(find().put('contract/ttl', 'x', { expiration: 1 })).rejects.toThrow(/Invalid expiration/)
    await expect(find().put('', 'x')).rejects.toThrow(/cannot be empty/)
    await expect(find().put('x'.repeat(513), 'x')).rejects.toThrow(/key length limit of 512/)
    await expect(find().put('contract/m', 'x', { metadata: 'x'.repeat(1_100) })).rejects.toThrow(
      /exceeds limit of 1024/,
    )
    const tooLong = new Uint8Array(25 * 1024 * 1024 + 1)
    await expect(find().put('contract/long', tooLong)).rejects.toThrow(/exceeds limit of 26214400/)
  })
}

/** Registers the cases. They leave nothing behind. */
export function describeStorage(findBindings: () => Promise<Bindings>): void {
  let bindings: Bindings
  const drop = async () => {
    for (const table of TABLES) await bindings.DB.prepare(`DROP TABLE IF EXISTS ${table}`).run()
  }
  beforeAll(async () => {
    bindings = await findBindings()
    await drop()
    for (const sql of SCHEMA) await bindings.DB.prepare(sql).run()
  })
  afterAll(async () => {
    await drop()
    for (const prefix of ['contract/', 'contract-']) {
      const { keys } = await bindings.CONTENTS.list({ prefix })
      for (const { name } of keys) await bindings.CONTENTS.delete(name)
    }
  })
  describe('the database', () => describeDatabase(() => bindings.DB))
  describe('the contents', () => describeNamespace(() => bindings.CONTENTS))
}
