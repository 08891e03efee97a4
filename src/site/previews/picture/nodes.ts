import type { ContainerNode, Node, TextNode } from '@takumi-rs/wasm'

type Style = NonNullable<ContainerNode['style']>

/** A box that places its children below each other unless its style says otherwise. */
export const box = (style: Style, children: Node[] = []): ContainerNode => ({
  type: 'container',
  style: { display: 'flex', flexDirection: 'column', flexShrink: 0, ...style },
  children,
})

export const row = (style: Style, children: Node[]): ContainerNode =>
  box({ flexDirection: 'row', ...style }, children)

export const label = (text: string, style: Style): TextNode => ({ type: 'text', text, style })

/** A paragraph of texts in different styles. */
export const inline = (style: Style, children: Node[]): ContainerNode => ({
  type: 'container',
  style: { display: 'block', ...style },
  children: children.length > 0 ? children : [label(' ', { display: 'inline' })],
})

export const part = (text: string, style: Style): TextNode => label(text, { display: 'inline', ...style })
