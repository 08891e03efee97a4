const IN_BROWSER =
  'Your browser decrypts the document. Neither the password nor the text is sent to the server.'
const ON_SERVER =
  'Your browser can’t decrypt the document, so the password is sent to the server, which doesn’t store it.'
const ON_SERVER_WITHOUT_HTTPS =
  'This page wasn’t loaded over HTTPS, so your browser can’t decrypt the document. The password would be sent unencrypted: others on the network could read it and the document.'

export function getPasswordHint(decryptsInBrowser: boolean, isSecure = isSecureContext): string {
  if (decryptsInBrowser) return IN_BROWSER
  return isSecure ? ON_SERVER : ON_SERVER_WITHOUT_HTTPS
}
