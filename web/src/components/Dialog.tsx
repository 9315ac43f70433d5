import { type ComponentProps, type ReactNode, useId } from 'react'
import { cx } from './cx'
import styles from './Dialog.module.css'
import { placeOfFocus } from './placeOfFocus'

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
}

/** A modal dialog with a title. The browser keeps the focus inside and restores it afterwards. */
export function Dialog({ title, children, role = 'dialog', onCancel, icon, says = '' }: DialogProps) {
  const id = useId()
  return (
    <ModalDialog className={cx(styles.dialog)} role={role} aria-labelledby={id} onEscape={onCancel}>
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
}

/** A native modal dialog. It is open as long as it is mounted. */
export function ModalDialog({ onEscape, ...rest }: ModalDialogProps) {
  return (
    <dialog
      ref={openAtOnce}
      onCancel={(event) => {
        // The owner closes the dialog by unmounting it.
        event.preventDefault()
        onEscape?.()
      }}
      onKeyDown={(event) => {
        // Browsers close the dialog on a second Escape even so.
        if (event.key === 'Escape') {
          event.preventDefault()
          event.stopPropagation()
          onEscape?.()
        }
      }}
      {...rest}
    />
  )
}

function openAtOnce(dialog: HTMLDialogElement | null) {
  if (!dialog) {
    return
  }
  const goBack = placeOfFocus()
  dialog.showModal()
  return () => {
    dialog.close()
    goBack()
  }
}
