import type { Child } from 'hono/jsx'
import { SCRIPTS } from '../assets.generated.ts'
import { useFrame } from './page-frame.ts'
import { renderChildren } from './template.tsx'

/** Puts something into the head of the page, from anywhere in it. */
export const InHead = ({ children }: { children: Child }) => {
  useFrame().inHead.push(renderChildren(children))
  return null
}

/** Tells the page's script where the worker is that encrypts and decrypts. */
export const JweWorker = () => (
  <InHead>
    <meta name="jwe-worker" content={SCRIPTS.jweWorker} />
  </InHead>
)
