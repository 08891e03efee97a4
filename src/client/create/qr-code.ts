const SVG = 'http://www.w3.org/2000/svg'

/** Modules of white around a code (ISO/IEC 18004): without them scanners miss it. */
const QUIET_ZONE = 4

const svg = (name: string, attributes: Readonly<Record<string, string>>): SVGElement => {
  const element = document.createElementNS(SVG, name)
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value)
  return element
}

/** A picture of a QR code, by the library that is loaded when first needed. */
export async function createQrCode(text: string, label: string): Promise<SVGElement> {
  const { encode } = await import('uqr')
  const { size, data } = encode(text, { border: QUIET_ZONE })
  const dark = data.flatMap((row, y) => row.flatMap((set, x) => (set ? `M${x} ${y}h1v1h-1z` : [])))
  const picture = svg('svg', {
    viewBox: `0 0 ${size} ${size}`,
    role: 'img',
    'aria-label': label,
    'shape-rendering': 'crispEdges',
  })
  // A scanner wants dark on light, also where the page is dark.
  picture.append(
    svg('path', { d: `M0 0h${size}v${size}h-${size}z`, fill: '#fff' }),
    svg('path', { d: dark.join(''), fill: '#000' }),
  )
  return picture
}
