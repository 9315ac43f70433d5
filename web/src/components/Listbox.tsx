import type { KeyboardEvent } from 'react'
import { cx } from './cx'
import { Icon, type IconName } from './Icon'
import styles from './Listbox.module.css'
import { focusAtOnce, moveInList } from './listKeys'
import { useTriggered } from './overlay'

export interface ListboxOption<Value> {
  value: Value
  text: string
}

export interface ListboxProps<Value> {
  /** The accessible name of the choice. */
  label: string
  options: readonly ListboxOption<Value>[]
  value: Value
  onChange: (value: Value) => void
  /** Before the chosen option. */
  icon?: IconName
  className?: string | undefined
}

/** A button that shows the chosen option and opens the list of options. */
export function Listbox<Value extends string | number>({
  label,
  options,
  value,
  onChange,
  icon,
  className,
}: ListboxProps<Value>) {
  const { id, isOpen, setOpen, dismiss, trigger, onKeyDown, anchorProps } = useTriggered('listbox', keys)
  const selected = Math.max(
    options.findIndex((option) => option.value === value),
    0,
  )
  const text = options[selected]?.text ?? ''

  const choose = (option: ListboxOption<Value>) => {
    dismiss()
    if (option.value !== value) {
      onChange(option.value)
    }
  }
  const openByKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
    }
  }

  return (
    <div className={cx(styles.anchor, isOpen && styles.open, className)} {...anchorProps}>
      <button
        type="button"
        className={styles.button}
        aria-label={`${label}: ${text}`}
        {...trigger}
        onKeyDown={openByKey}
      >
        {icon && <Icon name={icon} size="s" />}
        <span className={styles.text} title={text}>
          {text}
        </span>
        <Icon name="chevronDown" size="s" />
      </button>
      {isOpen && (
        <div className={styles.list} id={id} role="listbox" aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
          {options.map((option, place) => (
            <button
              key={option.value}
              type="button"
              role="option"
              aria-selected={place === selected}
              tabIndex={-1}
              className={styles.option}
              ref={place === selected ? focusAtOnce : undefined}
              onClick={() => choose(option)}
            >
              <span className={styles.text}>{option.text}</span>
              {place === selected && <Icon name="tick" size="s" className={styles.tick} />}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

function keys(dismiss: () => void) {
  return (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Tab') {
      // The browser then moves the focus on from the button.
      dismiss()
      return false
    }
    return moveInList(event)
  }
}
