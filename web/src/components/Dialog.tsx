import { type ComponentProps, type ReactNode, useId } from 'react'
import { cx } from './cx'
import styles from './Dialog.module.css'
import { shownBy, usePressBeside } from './modal'
import { closedBy } from './overlay'
import { addModal } from './topModal'

export interface DialogProps {
  title: string
  children: ReactNode
  /** `alertdialog` for errors. */
  role?: 'dialog' | 'alertdialog'
  /** Called on Escape. Without it the user cannot close the dialog with Escape. */
  onCancel?: (() => void) | undefined
  icon?: ReactNode
  /**
   * An announcement for screen readers. It is inside the dialog, because nothing behind an open dialog is announced. It
   * is most reliable if the dialog was already open.
   */
  says?: string
  /** The id of the text that screen readers read when the dialog opens. */
  describedBy?: string
}

/** A modal dialog with a title. The browser keeps the focus inside and restores it afterwards. */
export function Dialog({ title, children, role = 'dialog', onCancel, icon, says = '', describedBy }: DialogProps) {
  const id = useId()
  return (
    <ModalDialog
      className={cx(styles.dialog)}
      role={role}
      aria-labelledby={id}
      aria-describedby={describedBy}
      onEscape={onCancel}
    >
      {icon}
      <h2 className={styles.title} id={id} tabIndex={-1}>
        {title}
      </h2>
      {children}
      <div className="vh" role="alert" aria-atomic="true">
        {says}
      </div>
    </ModalDialog>
  )
}

export interface ModalDialogProps extends ComponentProps<'dialog'> {
  onEscape?: (() => void) | undefined
  /** Called after a press of the backdrop. Without it such a press does nothing. */
  onPressBeside?: () => void
}

/** A native modal dialog or sheet. It is open as long as it is mounted. */
export function ModalDialog({ onEscape, onPressBeside, ...rest }: ModalDialogProps) {
  return (
    <dialog
      ref={asModal}
      onCancel={(event) => {
        // The owner closes the dialog by unmounting it.
        event.preventDefault()
        onEscape?.()
      }}
      // Browsers close the dialog on a second Escape even so.
      {...closedBy({ onDismiss: onEscape })}
      {...usePressBeside(onPressBeside)}
      {...rest}
    />
  )
}

const asModal = shownBy((dialog: HTMLDialogElement) => {
  dialog.showModal()
  const removeModal = addModal(dialog)
  return () => {
    removeModal()
    dialog.close()
  }
})
