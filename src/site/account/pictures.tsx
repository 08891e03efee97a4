import { Hono } from 'hono'
import { findPicture } from '../../accounts/profile.ts'
import type { AppEnv } from '../../env.ts'
import { routeNotFound } from '../../errors.ts'
import { answer } from '../../http/answers.ts'

const CELLS = 5

/** FNV-1a with 32 bits. Must never change: pictures are cached forever. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0
  }
  return value
}

const Icon = ({ id }: { id: string }) => {
  const bits = hash(id)
  const half = Math.ceil(CELLS / 2)
  const cells = Array.from({ length: CELLS * CELLS }, (_, index) => {
    const x = index % CELLS
    const y = Math.floor(index / CELLS)
    const mirrored = Math.min(x, CELLS - 1 - x)
    return { x, y, filled: ((bits >>> (y * half + mirrored)) & 1) === 1 }
  })
  const hue = hash(`${id} hue`) % 360
  return (
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 7 7" width="128" height="128">
      <title>Account picture</title>
      <rect x="-1" y="-1" width="7" height="7" fill={`hsl(${hue} 45% 92%)`} />
      <g fill={`hsl(${hue} 55% 42%)`}>
        {cells
          .filter((cell) => cell.filled)
          .map(({ x, y }) => (
            <rect x={String(x)} y={String(y)} width="1.02" height="1.02" />
          ))}
      </g>
    </svg>
  )
}

/** Clients on other sites show these pictures. The picture at a URL never changes. */
const PICTURE_HEADERS = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

export const icons = new Hono<AppEnv>()
  .get('/:file{[A-Za-z0-9_-]{1,64}\\.svg}', (c) =>
    answer(c, String(<Icon id={c.req.param('file').slice(0, -'.svg'.length)} />), {
      headers: { 'Content-Type': 'image/svg+xml', ...PICTURE_HEADERS },
    }),
  )
  .get('/:account/:version', async (c) => {
    const { account, version } = c.req.param()
    const picture = await findPicture(c.var.store.db, account, version)
    if (!picture) throw routeNotFound()
    return answer(c, picture.bytes, { headers: { 'Content-Type': picture.mediaType, ...PICTURE_HEADERS } })
  })
