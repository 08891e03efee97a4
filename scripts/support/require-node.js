// Plain JavaScript that old versions of Node can read, so that they say what is missing. Loaded before a command.
const MIN_VERSION = 24

const [version] = process.versions.node.split('.')
if (Number(version) < MIN_VERSION) {
  console.error(
    `Regent needs Node ${MIN_VERSION} or newer, and this is Node ${process.versions.node}. Install it, or run npm ci, which brings it.`,
  )
  process.exit(1)
}
