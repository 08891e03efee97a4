/** Everything that XML 1.0 doesn't allow, not even escaped: most control characters, surrogates and noncharacters. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** Returns a text for XML, as content or in an attribute. Characters that XML forbids become U+FFFD. */
export const escapeXml = (text: string): string =>
  text.replaceAll(FORBIDDEN, '\uFFFD').replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? character)

/**
 * Returns an XML element.
 *
 * @param children text, which is escaped, or elements that this function returned.
 * @example element('author', element('name', 'demo')) // <author><name>demo</name></author>
 */
export function element(
  name: string,
  children: string | XmlElement | readonly XmlElement[] = [],
  attributes: Readonly<Record<string, string>> = {},
): XmlElement {
  const start = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
  const parts =
    typeof children === 'string'
      ? escapeXml(children)
      : [children]
          .flat()
          .map(({ xml }) => xml)
          .join('')
  return {
    xml: parts === '' ? `<${name}${start.join('')}/>` : `<${name}${start.join('')}>${parts}</${name}>`,
  }
}

/** Markup, so that it isn't escaped again. */
export interface XmlElement {
  readonly xml: string
}

/** Returns a whole XML document. */
export const xmlDocument = ({ xml }: XmlElement): string => `<?xml version="1.0" encoding="utf-8"?>\n${xml}\n`
