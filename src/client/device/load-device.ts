/**
 * Returns true if this browser has documents of its own. The key is that of device-documents.ts, which readers of other
 * documents needn't load.
 */
function hasDocuments(): boolean {
  try {
    return localStorage.getItem('regent.documents') !== null
  } catch {
    return false
  }
}

// Few readers have created anything without an account.
if (hasDocuments() || location.pathname === '/device')
  void import('./device-pages.ts').then(({ startDevicePages }) => startDevicePages())
