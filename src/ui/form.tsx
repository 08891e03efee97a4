import type { Child } from 'hono/jsx'
import { Problem } from './errors.tsx'
import { usePage } from './page.tsx'

interface FormProps {
  readonly action: string
  readonly method?: 'get' | 'post'
  /** Fields that nobody sees. */
  readonly hidden?: Readonly<Record<string, string>> | undefined
  /** The problem with the form as a whole. */
  readonly problem?: Child
  /** The text of its button. Without one, the form has its own buttons. */
  readonly button?: Child
  readonly look?: 'quiet' | 'danger' | 'quiet danger' | undefined
  /** The button's name for screen readers, where its text alone isn't enough. */
  readonly label?: string
  readonly layout?: 'inline' | 'field-row' | 'list-form row'
  readonly id?: string | undefined
  /** Stands before the button, such as one that closes the dialog. */
  readonly cancel?: Child
  readonly children?: Child
}

export const Form = ({
  action,
  method = 'post',
  hidden = {},
  problem,
  button,
  look,
  label,
  layout,
  id,
  cancel,
  children,
}: FormProps) => {
  const { accountId } = usePage()
  // The browser may sign in to another account while the page is open.
  const isOfAccount = method === 'post' && action.startsWith('/account/')
  const account = isOfAccount && accountId !== null ? { account: accountId } : {}
  const submit = button && (
    <button type="submit" class={look} aria-label={label}>
      {button}
    </button>
  )
  return (
    <form method={method} action={action} class={layout} id={id}>
      {Object.entries({ ...account, ...hidden }).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {problem && <Problem>{problem}</Problem>}
      {children}
      {cancel ? (
        <div class="row end">
          {cancel}
          {submit}
        </div>
      ) : (
        submit
      )}
    </form>
  )
}

/*
 * Dialogs. An invoker command (HTML §6.12) opens one as a modal. Browsers without such commands open it as a popover, also
 * without scripts.
 */

interface OpenButtonProps {
  readonly id: string
  readonly look?: 'danger' | 'quiet' | 'quiet danger'
  readonly children: Child
}

export const OpenButton = ({ id, look = 'quiet danger', children }: OpenButtonProps) => (
  <button type="button" class={look} command="show-modal" commandfor={id} popovertarget={id}>
    {children}
  </button>
)

interface CancelButtonProps {
  readonly id: string
  /** The address that it leads to from a dialog that came open: without scripts, only new browsers could close that. */
  readonly openedAt?: string | undefined
}

export const CancelButton = ({ id, openedAt }: CancelButtonProps) =>
  openedAt ? (
    <a href={openedAt} class="button quiet">
      Cancel
    </a>
  ) : (
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

interface DialogProps {
  readonly id: string
  readonly title: Child
  /** Comes back with a problem. A script makes it a modal again. */
  readonly open?: boolean
  readonly children: Child
}

export const Dialog = ({ id, title, open = false, children }: DialogProps) => (
  <dialog id={id} popover="auto" aria-labelledby={`${id}-title`} open={open}>
    <h2 id={`${id}-title`}>{title}</h2>
    {children}
  </dialog>
)

interface Confirmation {
  readonly id: string
  readonly formId?: string
  readonly title: Child
  /** The text of the button that confirms. */
  readonly button: string
  readonly action: string
  readonly hidden?: Readonly<Record<string, string>>
  readonly children: Child
}

export const ConfirmationDialog = ({ id, formId, title, ...form }: Confirmation) => (
  <Dialog id={id} title={title}>
    <Form {...form} id={formId} look="danger" cancel={<CancelButton id={id} />} />
  </Dialog>
)

export const ConfirmationButton = ({ label, ...dialog }: Confirmation & { label?: Child }) => (
  <>
    <OpenButton id={dialog.id}>{label ?? dialog.button}</OpenButton>
    <ConfirmationDialog {...dialog} />
  </>
)
