import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { startBrowser } from './support/browser.ts'
import { parseOptions } from './support/script.ts'
import { ROOT, runScript } from './support/wrangler.ts'

const HELP = `Makes the site's icons from favicon.svg: favicon.ico, the touch icon, the icons
of the manifest, and the picture of link previews. Run it after changing the
SVG, and commit the result.

Usage: node scripts/icons.ts
`

const PUBLIC = join(ROOT, 'public')

/** The icon for systems that cut it into their own shape: its background fills the square, and the mark stays clear of the edge. */
const fillSquare = (svg: string, scale: number): string =>
  svg
    .replace(/ rx="\d+"/, '')
    .replace(/<path/, `<g transform="translate(16 16) scale(${scale}) translate(-16 -16)"><path`)
    .replace('</svg>', '</g></svg>')

async function renderPng(browser: Browser, svg: string, size: number): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  const image = Buffer.from(svg).toString('base64')
  await page.setContent(
    `<body style="margin:0"><img width="${size}" height="${size}" style="display:block" src="data:image/svg+xml;base64,${image}">`,
  )
  const png = await page.screenshot({ omitBackground: true })
  await page.close()
  return png
}

/** Makes the picture that other services show of links to the site. */
async function renderPreview(browser: Browser, svg: string): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 } })
  const font = join(ROOT, 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')
  const fontData = (await readFile(font)).toString('base64')
  const mark = Buffer.from(svg.replace(/<rect[^>]*>/, '')).toString('base64')
  await page.setContent(`<style>
@font-face { font-family: Inter; src: url(data:font/woff2;base64,${fontData}); font-weight: 100 900 }
body { margin: 0; height: 630px; display: grid; place-content: center; justify-items: center;
  background: #0f6a51; color: #fff; font: 400 40px Inter }
img { width: 260px; height: 260px; margin: -60px 0 -14px }
h1 { margin: 0 0 12px; font-size: 112px; line-height: 1.1; font-weight: 700; letter-spacing: -0.035em }
p { margin: 0; color: #cbe6da }
</style><img src="data:image/svg+xml;base64,${mark}"><h1>Regent</h1><p>Share text by link</p>`)
  await page.evaluate('document.fonts.ready')
  const png = await page.screenshot()
  await page.close()
  return png
}

const ICO_HEADER_BYTES = 6
const ICO_ENTRY_BYTES = 16

/** Returns an .ico file, which may contain PNGs. Its sizes are below 256. */
function buildIco(images: readonly { readonly size: number; readonly png: Buffer }[]): Buffer {
  const directory = Buffer.alloc(ICO_HEADER_BYTES + images.length * ICO_ENTRY_BYTES)
  // Type 1 is an icon.
  directory.writeUInt16LE(1, 2)
  directory.writeUInt16LE(images.length, 4)
  let offset = directory.length
  for (const [index, { size, png }] of images.entries()) {
    const at = ICO_HEADER_BYTES + index * ICO_ENTRY_BYTES
    directory.writeUInt8(size, at)
    directory.writeUInt8(size, at + 1)
    // One plane of 32 bits a pixel.
    directory.writeUInt16LE(1, at + 4)
    directory.writeUInt16LE(32, at + 6)
    directory.writeUInt32LE(png.length, at + 8)
    directory.writeUInt32LE(offset, at + 12)
    offset += png.length
  }
  return Buffer.concat([directory, ...images.map(({ png }) => png)])
}

async function main(): Promise<void> {
  parseOptions(HELP, {})
  const svg = await readFile(join(PUBLIC, 'assets/favicon.svg'), 'utf8')
  const browser = await startBrowser()
  try {
    const save = async (name: string, source: string, size: number) =>
      writeFile(join(PUBLIC, name), await renderPng(browser, source, size))
    for (const size of [192, 512]) {
      await save(`assets/icon-${size}.png`, svg, size)
      // Everything that matters is within a circle of 80 % of the width.
      await save(`assets/maskable-${size}.png`, fillSquare(svg, 0.75), size)
    }
    await writeFile(join(PUBLIC, 'assets/preview.png'), await renderPreview(browser, svg))
    await save('apple-touch-icon.png', fillSquare(svg, 0.9), 180)
    const sizes = [16, 32, 48]
    const pngs = await Promise.all(
      sizes.map(async (size) => ({ size, png: await renderPng(browser, svg, size) })),
    )
    await writeFile(join(PUBLIC, 'favicon.ico'), buildIco(pngs))
  } finally {
    await browser.close()
  }
}

await runScript(main)
