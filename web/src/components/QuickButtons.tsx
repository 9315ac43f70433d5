import type { ReactNode } from 'react'
import styles from './QuickButtons.module.css'

interface QuickButtonsProps<Value> {
  /** The accessible name of the group. */
  label: string
  values: readonly Value[]
  text: (value: Value) => ReactNode
  /** The value that is in force. Without it the buttons are not marked. */
  pressed?: Value
  isLocked?: boolean
  /** The id of what says why they are off. */
  describedBy?: string | undefined
  onPress: (value: Value) => void
}

/** A row of buttons that set a field to usual values. */
export function QuickButtons<Value extends string | number>(props: QuickButtonsProps<Value>) {
  const { label, values, text, pressed, isLocked, describedBy, onPress } = props
  return (
    <fieldset className={styles.quick}>
      <legend className="vh">{label}</legend>
      {values.map((value) => (
        <button
          key={value}
          type="button"
          className={styles.button}
          aria-pressed={pressed === undefined ? undefined : pressed === value}
          aria-disabled={isLocked}
          aria-describedby={describedBy}
          onClick={() => onPress(value)}
        >
          {text(value)}
        </button>
      ))}
    </fieldset>
  )
}
