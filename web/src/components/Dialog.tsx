import { type ComponentProps, type ReactNode, useId } from 'react'
import { cx } from './cx'
import styles from './Dialog.module.css'
import { placeOfFocus } from './placeOfFocus'

export interface DialogProps {
  title: string
  children: ReactNode
  /** `alertdialog` for what has gone wrong. */
  role?: 'dialog' | 'alertdialog'
  /** Escape; without it the dialog stays until something happens. */
  onCancel?: (() => void) | undefined
  icon?: ReactNode
  /**
   * What has come about, said to screen readers at once. It is said from within, for while a dialog is open nothing
   * behind it is heard; best where the dialog was there before.
   */
  says?: string
}

/** A question or an answer in front of everything else. The browser keeps the focus in it, and gives it back. */
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

/** A native modal dialog, open for as long as it is there. */
export function ModalDialog({ onEscape, ...rest }: ModalDialogProps) {
  return (
    <dialog
      ref={openAtOnce}
      onCancel={(event) => {
        // It closes by not being there any more.
        event.preventDefault()
        onEscape?.()
      }}
      onKeyDown={(event) => {
        // A second Escape would close it in spite of that.
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
