/** Where an encrypted document is opened, and what follows from that. */
export const HERE = 'It is opened here, in your browser: neither the password nor the text is sent anywhere.'
export const NOT_HERE = isSecureContext
  ? 'This browser can not decrypt by itself. So the password is sent to this server, which opens the document with it and keeps neither.'
  : 'This page did not come over a secure connection (https), so the browser does not decrypt here. The password would be sent to this server without protection: anybody on the way could read it, and the document.'
