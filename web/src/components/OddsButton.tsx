import { useRef } from 'react'
import { cx } from './cx'
import { Icon } from './Icon'
import styles from './OddsButton.module.css'

export interface OddsButtonProps {
  oddId: number
  /** What is bet on, in a word or two: `1`, `X`, `Under`. */
  label: string
  /** The price as shown. */
  price: string
  /** `locked`: nothing can be bet on now; `none`: no price is offered. Both keep the box. */
  state: 'open' | 'locked' | 'none'
  movement?: 'up' | 'down' | undefined
  /** Whether the movement is so fresh that it lights up. */
  flash?: boolean
  /** `price`: the label is spoken alone, for a heading above shows it; `labelled`: it stands beside the price. */
  layout?: 'price' | 'labelled'
  /** What is read before the label, such as the match, and after it: the words for the state, or for the price. */
  spokenBefore?: string
  spokenState: string
  spokenMovement?: string | undefined
  /** Whether it is on the ticket. */
  picked?: boolean
  /** Of the odd that the press began on, which by its end may be another one in this place, or locked. */
  onPress: (oddId: number) => void
  tabIndex?: number | undefined
  cell?: string | undefined
}

/**
 * A price. Its box never changes its size: the arrow stands in a corner, figures are tabular, a lock and a dash take
 * the price's place.
 */
export function OddsButton({
  oddId,
  label,
  price,
  state,
  movement,
  flash = false,
  layout = 'price',
  spokenBefore = '',
  spokenState,
  spokenMovement,
  picked = false,
  onPress,
  tabIndex,
  cell,
}: OddsButtonProps) {
  const isNone = state === 'none'
  const isOpen = state === 'open'
  const className = cx(
    styles.odd,
    layout === 'labelled' ? styles.labelled : styles.bare,
    styles[state],
    isOpen && movement && styles[movement],
    isOpen && flash && styles.flash,
    picked && styles.picked,
  )
  // One attribute instead of elements for ears alone: a list has hundreds of prices, and each element that is laid out
  // is paid for at every movement. What is seen has to be in it as it is seen (WCAG 2.5.3).
  const said = layout === 'labelled' ? [`${label} ${price}`] : [label, `${spokenState} ${price}`]
  const spoken = [spokenBefore, ...(isOpen ? said : [label, spokenState]), isOpen && movement ? spokenMovement : '']
    .filter(Boolean)
    .join(', ')
  const began = useRef<number | null>(null)
  return (
    <button
      type="button"
      className={className}
      data-odd-id={oddId}
      data-state={state}
      data-movement={movement}
      data-cell={cell}
      tabIndex={tabIndex}
      aria-label={spoken}
      aria-pressed={picked}
      aria-disabled={(!isOpen && !picked) || undefined}
      onPointerDown={() => {
        began.current = oddId
      }}
      onClick={(event) => {
        // A key presses without a pointer: `detail` counts the clicks of one.
        onPress(event.detail === 0 ? oddId : (began.current ?? oddId))
        began.current = null
      }}
    >
      {picked && <Icon name="tick" className={styles.tick} />}
      {layout === 'labelled' && <span className={styles.label}>{label}</span>}
      {layout === 'labelled' && ' '}
      {state === 'locked' && <Icon name="lock" className={styles.lock} />}
      {isNone && (
        <span className={styles.price} aria-hidden="true">
          {price}
        </span>
      )}
      {isOpen && (
        <b className={styles.price} data-price="">
          {price}
        </b>
      )}
      {isOpen && movement && <span className={styles.arrow} />}
    </button>
  )
}
