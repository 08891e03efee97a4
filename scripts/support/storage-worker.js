// Stores many contents in one request, because each call from Node to a binding costs milliseconds. The request's first
// line is JSON: of each content its key, its length in bytes and its options. The bytes of all contents follow.
export default {
  async fetch(request, { CONTENTS }) {
    const body = await request.arrayBuffer()
    const start = new Uint8Array(body).indexOf(10) + 1
    let end = start
    const puts = JSON.parse(new TextDecoder().decode(body.slice(0, start))).map(
      ({ key, length, options }) => {
        end += length
        return CONTENTS.put(key, body.slice(end - length, end), options)
      },
    )
    const results = await Promise.allSettled(puts)
    return Response.json(results.map(({ reason }) => (reason === undefined ? null : String(reason))))
  },
}
