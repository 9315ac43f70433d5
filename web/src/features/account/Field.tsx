import { type ReactNode, useId, useState } from 'react'
import { IconButton } from '../../components/IconButton'
import { useTranslation } from '../../i18n/useTranslation'
import styles from './Field.module.css'

/** The fewest characters of a password (CONTRACT 2). */
export const PASSWORD_MIN = 8

/** The characters of a name, as the server requires them. */
export const NAME_MIN = 1
export const NAME_MAX = 64

/** Whether an account may have this name. */
export function isGoodName(name: string): boolean {
  const { length } = Array.from(name)
  return length >= NAME_MIN && length <= NAME_MAX && /^[\p{Alphabetic}\p{N}._\-+@ ]*$/u.test(name)
}

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

/** A box to tick, with what is wrong if it is not. */
export function CheckField({ label, name, error }: { label: string; name: string; error: string | undefined }) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label className={styles.check}>
        <input
          className={styles.tick}
          type="checkbox"
          name={name}
          required
          aria-invalid={error !== undefined}
          aria-describedby={error ? `${id}-note` : undefined}
        />
        <span>{label}</span>
      </label>
      {error && (
        <p className={styles.error} id={`${id}-note`}>
          {error}
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
