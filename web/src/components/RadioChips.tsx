import { type KeyboardEvent, useEffect, useRef } from 'react'
import { Chip } from './Chip'
import { placeByKey } from './listKeys'

export interface RadioChip<Value> {
  readonly value: Value
  readonly text: string
  readonly count?: number | string | undefined
  /** The count with its unit, such as "210 odds": a tooltip, and part of the accessible name. */
  readonly title?: string | undefined
}

export interface RadioChipsProps<Value> {
  label: string
  className?: string | undefined
  chips: readonly RadioChip<Value>[]
  /** An unknown value selects the first option. */
  value: Value
  onChange: (value: Value) => void
}

/** A radio group as a row of chips: one tab stop, and arrow keys change the choice. */
export function RadioChips<Value extends string | null>({
  label,
  className,
  chips,
  value,
  onChange,
}: RadioChipsProps<Value>) {
  const group = useRef<HTMLDivElement>(null)
  const chosen = Math.max(
    chips.findIndex((chip) => chip.value === value),
    0,
  )
  // A chip that was pressed may be partly out of view.
  useEffect(() => {
    if (chosen > 0) {
      group.current?.querySelectorAll('button')[chosen]?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    }
  }, [chosen])
  const chooseByKey = (event: KeyboardEvent) => {
    const place = placeByKey(event.key, chosen, chips.length)
    const chip = place === null ? undefined : chips[place]
    if (place !== null && chip) {
      event.preventDefault()
      onChange(chip.value)
      group.current?.querySelectorAll('button')[place]?.focus()
    }
  }
  return (
    <div ref={group} className={className} role="radiogroup" aria-label={label} onKeyDown={chooseByKey}>
      {chips.map((chip, place) => (
        <Chip
          key={chip.value ?? ''}
          text={chip.text}
          {...(chip.count !== undefined && { count: chip.count })}
          title={chip.title}
          aria-label={chip.title && `${chip.text} ${chip.title}`}
          role="radio"
          aria-checked={place === chosen}
          tabIndex={place === chosen ? 0 : -1}
          onClick={() => onChange(chip.value)}
        />
      ))}
    </div>
  )
}
