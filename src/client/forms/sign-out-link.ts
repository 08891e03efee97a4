// Without this script the link leads to a page that asks first. A click on this site needs no question.
document.querySelector('.masthead a[href="/sign-out"]')?.addEventListener('click', (event) => {
  const { button, ctrlKey, metaKey, shiftKey, altKey } = event as MouseEvent
  if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return
  event.preventDefault()
  const form = Object.assign(document.createElement('form'), { method: 'post', action: '/sign-out' })
  document.body.append(form)
  form.submit()
})
