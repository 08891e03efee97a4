import type { Child } from 'hono/jsx'

interface Confirmation {
  /** Of the dialog, and unique on its page. */
  readonly id: string
  readonly title: string
  /** What the button says, here and in the dialog. */
  readonly button: string
  /** Where the form goes that does it. */
  readonly action: string
  /** What the form says and asks beside its button. */
  readonly children: Child
}

/** The question itself, for a dialog or for a page that asks the same. */
export const ConfirmationForm = ({ button, action, children }: Omit<Confirmation, 'id' | 'title'>) => (
  <form method="post" action={action}>
    {children}
    <button type="submit" class="danger">
      {button}
    </button>
  </form>
)

/** A button that opens a dialog, see `ConfirmationButton`. */
export const OpenButton = ({ id, children }: { id: string; children: Child }) => (
  <button type="button" class="danger" command="show-modal" commandfor={id} popovertarget={id}>
    {children}
  </button>
)

/** A button that closes the dialog around it. */
export const CancelButton = ({ id }: { id: string }) => (
  <button
    type="button"
    class="quiet"
    command="close"
    commandfor={id}
    popovertarget={id}
    popovertargetaction="hide"
  >
    Cancel
  </button>
)

/**
 * A button that asks before it does anything, in a dialog that the browser opens by itself, without
 * scripts: as a modal one by an invoker command (HTML §6.12), or, where the browser knows no such commands
 * yet, as a popover.
 */
export const ConfirmationButton = ({ id, title, button, action, children }: Confirmation) => (
  <>
    <OpenButton id={id}>{button}</OpenButton>
    <dialog id={id} popover="auto" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      <ConfirmationForm button={button} action={action}>
        {children}
      </ConfirmationForm>
      <CancelButton id={id} />
    </dialog>
  </>
)
