/**
 * Returns true if this browser has documents of its own. Repeats the key from device-documents.ts, so that readers of
 * other documents needn't load that file.
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
