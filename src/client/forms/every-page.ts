// The script of every page: what belongs to its header and footer, the message after sharing, and this browser’s own
// documents. What only some readers need is loaded when they need it.

// Makes this file a module for TypeScript, which takes it for an old script without imports.
export {}

declare global {
  /** Is set if the browser is too old for the scripts. Each script stops then: see scripts/build-client.ts. */
  var isTooOld: true | undefined
}

/**
 * In a browser that is too old, the forms work as they do without scripts, rather than in part. `TARGET` lists these
 * browsers and what they lack.
 */
if (!('withResolvers' in Promise && 'showPopover' in HTMLElement.prototype)) {
  globalThis.isTooOld = true
  document.documentElement.classList.add('plain')
  // The page's own HTML. Old browsers of the kind that has Trusted Types throw here, and keep it hidden.
  for (const hidden of document.querySelectorAll('noscript')) hidden.outerHTML = hidden.innerText
  throw Error('too old')
}

/** The keys are repeated, so that other pages needn't load these files. */
function isStored(place: 'localStorage' | 'sessionStorage', key: string): boolean {
  try {
    return globalThis[place].getItem(key) !== null
  } catch {
    return false
  }
}

if (isStored('localStorage', 'regent.documents') || location.pathname === '/device')
  void import('../device/device-pages.ts').then(({ startDevicePages }) => startDevicePages())

for (const list of document.querySelectorAll<HTMLElement>('.list'))
  void import('../lists/list.ts').then(({ startList }) => startList(list))

if (isStored('sessionStorage', 'regent.shared'))
  void import('../share/shared-document.ts').then(({ showShareToast }) => showShareToast())

const loadTools = () => import('./page-tools.ts')

/** The code couldn't be loaded, so forms are sent. */
let failed = false

// Not on each form: a decrypted document brings another one.
document.addEventListener('submit', (event) => {
  const { target: form, submitter } = event
  if (!(form instanceof HTMLFormElement && form.matches('.theme'))) return
  if (failed || !(submitter instanceof HTMLButtonElement)) return
  event.preventDefault()
  loadTools().then(
    ({ switchTheme }) => switchTheme(form, submitter.value),
    () => {
      failed = true
      form.requestSubmit(submitter)
    },
  )
})
// A page restored from the back/forward cache may show an older choice.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) void loadTools().then(({ showChosenTheme }) => showChosenTheme())
})

addEventListener('keydown', (event) => {
  if (event.key === '?') void loadTools().then(({ showKeys }) => showKeys(event))
})
