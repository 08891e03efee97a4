import { secureHeaders } from 'hono/secure-headers'

/** What a browser is told about every answer of the site. A route that sets one of them keeps its own. */
export const securityHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
  // With `no-referrer` the site's own forms would send `Origin: null`.
  referrerPolicy: 'same-origin',
  // Subdomains are the operator's to decide about.
  strictTransportSecurity: 'max-age=31536000',
  xFrameOptions: 'DENY',
  permissionsPolicy: { camera: [], geolocation: [], microphone: [], payment: [], usb: [] },
  overwrite: false,
})
