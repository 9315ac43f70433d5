import { type ReactNode, useId, useState } from 'react'
import { IconButton } from '../../components/IconButton'
import { useTranslation } from '../../i18n/useTranslation'
import styles from './Field.module.css'

/** The fewest characters of a password (CONTRACT 2). */
export const PASSWORD_MIN = 8

export interface FieldProps {
  label: string
  error: string | undefined
  hint?: string | undefined
  children: (props: { id: string; 'aria-invalid': boolean; 'aria-describedby': string | undefined }) => ReactNode
}

/** A labelled field of a form, with a hint or what is wrong with it. */
export function Field({ label, error, hint, children }: FieldProps) {
  const id = useId()
  const note = error ?? hint
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.box} data-invalid={error !== undefined || undefined}>
        {children({ id, 'aria-invalid': error !== undefined, 'aria-describedby': note ? `${id}-note` : undefined })}
      </div>
      {note && (
        <p className={error ? styles.error : styles.hint} id={`${id}-note`}>
          {note}
        </p>
      )}
    </div>
  )
}

export interface PasswordFieldProps extends Omit<FieldProps, 'children'> {
  name: string
  /** Whether a new password is chosen, so that the browser offers one. */
  isNew: boolean
}

/** A field for a password, which can be shown. */
export function PasswordField({ name, isNew, ...field }: PasswordFieldProps) {
  const { t } = useTranslation()
  const [isShown, setShown] = useState(false)
  return (
    <Field {...field}>
      {(props) => (
        <>
          <input
            {...props}
            className={styles.input}
            name={name}
            type={isShown ? 'text' : 'password'}
            autoComplete={isNew ? 'new-password' : 'current-password'}
            required
          />
          <IconButton
            label={t('showPassword')}
            icon={isShown ? 'eyeOff' : 'eye'}
            aria-pressed={isShown}
            onClick={() => setShown(!isShown)}
          />
        </>
      )}
    </Field>
  )
}
