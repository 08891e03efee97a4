import type { Child } from 'hono/jsx'

interface Confirmation {
  readonly label?: Child
  readonly id: string
  readonly title: string
  /** The text of the button that confirms. */
  readonly button: string
  readonly action: string
  readonly children: Child
}

export const ConfirmationForm = ({
  button,
  action,
  children,
}: Omit<Confirmation, 'id' | 'title' | 'label'>) => (
  <form method="post" action={action}>
    {children}
    <button type="submit" class="danger">
      {button}
    </button>
  </form>
)

export const OpenButton = ({ id, children }: { id: string; children: Child }) => (
  <button type="button" class="danger" command="show-modal" commandfor={id} popovertarget={id}>
    {children}
  </button>
)

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

export const ConfirmationDialog = ({ id, title, button, action, children }: Omit<Confirmation, 'label'>) => (
  <dialog id={id} popover="auto" aria-labelledby={`${id}-title`}>
    <h2 id={`${id}-title`}>{title}</h2>
    <ConfirmationForm button={button} action={action}>
      {children}
    </ConfirmationForm>
    <CancelButton id={id} />
  </dialog>
)

/** An invoker command (HTML §6.12) opens it as a modal. Browsers without such commands open a popover. */
export const ConfirmationButton = ({ label, ...dialog }: Confirmation) => (
  <>
    <OpenButton id={dialog.id}>{label ?? dialog.button}</OpenButton>
    <ConfirmationDialog {...dialog} />
  </>
)
