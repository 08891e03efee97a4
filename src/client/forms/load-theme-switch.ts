/** Loads the code that switches themes. Few readers do. */
const load = () => import('./theme-switch.ts')

/** Whether the code couldn't be loaded. Then forms are sent. */
let failed = false

for (const form of document.querySelectorAll<HTMLFormElement>('form.theme')) form.hidden = false

// Not on each form: a decrypted document brings another one.
document.addEventListener('submit', (event) => {
  const { target: form, submitter } = event
  if (!(form instanceof HTMLFormElement && form.matches('.theme'))) return
  if (failed || !(submitter instanceof HTMLButtonElement)) return
  event.preventDefault()
  load().then(
    ({ switchTheme }) => switchTheme(form, submitter.value),
    () => {
      failed = true
      form.requestSubmit(submitter)
    },
  )
})
// A page restored from the back/forward cache may show an older choice.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) void load().then(({ showChosenTheme }) => showChosenTheme())
})
