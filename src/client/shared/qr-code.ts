const SVG_NAMESPACE = 'http://www.w3.org/2000/svg'

/** Width of the white border in modules (ISO/IEC 18004): scanners need it to find the code. */
const QUIET_ZONE_MODULES = 4

export const toModulePath = (modules: readonly (readonly boolean[])[]): string =>
  modules.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : []))).join('')

const createSvg = (name: string, attributes: Readonly<Record<string, string>>): SVGElement => {
  const element = document.createElementNS(SVG_NAMESPACE, name)
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value)
  return element
}

export async function createQrCode(text: string, label: string): Promise<SVGElement> {
  const { encode } = await import('uqr')
  const { size, data } = encode(text, { border: QUIET_ZONE_MODULES })
  const image = createSvg('svg', {
    viewBox: `0 0 ${size} ${size}`,
    role: 'img',
    'aria-label': label,
    'shape-rendering': 'crispEdges',
  })
  // Dark on light in the dark theme too, because scanners expect it.
  image.append(
    createSvg('path', { d: `M0 0h${size}v${size}h-${size}z`, fill: '#fff' }),
    createSvg('path', { d: toModulePath(data), fill: '#000' }),
  )
  return image
}
