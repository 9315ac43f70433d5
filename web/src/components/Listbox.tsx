import { type FocusEvent, type KeyboardEvent, useId, useRef, useState } from 'react'
import { cx } from './cx'
import { Icon } from './Icon'
import styles from './Listbox.module.css'
import { focusAtOnce, moveAmongButtons } from './listKeys'

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
  className?: string | undefined
}

/** A button that shows the chosen option and opens the list of options. */
export function Listbox<Value extends string | number>({
  label,
  options,
  value,
  onChange,
  className,
}: ListboxProps<Value>) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const selected = Math.max(
    options.findIndex((option) => option.value === value),
    0,
  )
  const text = options[selected]?.text ?? ''

  const closeAndReturn = () => {
    setOpen(false)
    button.current?.focus()
  }
  const choose = (option: ListboxOption<Value>) => {
    closeAndReturn()
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
  const moveByKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape') {
      closeAndReturn()
    }
    if (event.key === 'Escape' || moveAmongButtons(event.currentTarget, event.key)) {
      event.preventDefault()
      event.stopPropagation()
    }
  }
  const closeOnLeaving = (event: FocusEvent<HTMLElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget)) {
      setOpen(false)
    }
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only handles the focus leaving its content.
    <div className={cx(styles.anchor, open && styles.open, className)} onBlur={closeOnLeaving}>
      <button
        ref={button}
        type="button"
        className={styles.button}
        aria-haspopup="listbox"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-label={`${label}: ${text}`}
        onClick={() => setOpen(!open)}
        onKeyDown={openByKey}
      >
        <span className={styles.text} title={text}>
          {text}
        </span>
        <Icon name="chevronDown" size="s" />
      </button>
      {open && (
        <div className={styles.list} id={id} role="listbox" aria-label={label} tabIndex={-1} onKeyDown={moveByKey}>
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
