import { SaxesParser } from 'saxes'

/** An element of an XML document. */
export interface XmlNode {
  readonly name: string
  readonly namespace: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: XmlNode[]
  text: string
}

/** Parses XML. Throws an Error if it isn't well-formed (XML 1.0 and its namespaces), forbidden characters included. */
export function parseXml(xml: string): XmlNode {
  const parser = new SaxesParser({ xmlns: true })
  const open: XmlNode[] = []
  let root: XmlNode | undefined
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ local, uri, attributes }) => {
    const node: XmlNode = {
      name: local,
      namespace: uri,
      attributes: Object.fromEntries(Object.values(attributes).map(({ name, value }) => [name, value])),
      children: [],
      text: '',
    }
    root ??= node
    open.at(-1)?.children.push(node)
    open.push(node)
  })
  parser.on('text', (text) => {
    const node = open.at(-1)
    if (node) node.text += text
  })
  parser.on('closetag', () => void open.pop())
  parser.write(xml).close()
  if (!root) throw new Error('no element')
  return root
}

export const childrenNamed = ({ children }: XmlNode, name: string): XmlNode[] =>
  children.filter((child) => child.name === name)

/** Returns the text of the only child with this name. Throws an Error if there isn't exactly one. */
export function getText(node: XmlNode, name: string): string {
  const [child, ...more] = childrenNamed(node, name)
  if (!child || more.length > 0) throw new Error(`${node.name} needs exactly one ${name}`)
  return child.text
}
