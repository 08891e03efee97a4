const END_OF_DIRECTORY = 0x06054b50

/** Returns the files of a ZIP file by name. Reads what Regent writes: stored, not compressed, and no ZIP64. */
export function unzip(zip: Uint8Array): Map<string, string> {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength)
  const end = zip.byteLength - 22
  if (view.getUint32(end, true) !== END_OF_DIRECTORY) throw new Error('not a ZIP file, or cut off')
  const text = (start: number, length: number) =>
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(zip.subarray(start, start + length))
  const files = new Map<string, string>()
  let entry = view.getUint32(end + 16, true)
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    const field = (offset: number) => view.getUint16(entry + offset, true)
    const size = view.getUint32(entry + 20, true)
    const local = view.getUint32(entry + 42, true)
    const content = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
    files.set(text(entry + 46, field(28)), text(content, size))
    entry += 46 + field(28) + field(30) + field(32)
  }
  return files
}
