import { useRef } from 'react'
import { NO_PRICE } from '../domain/oddsFormat'
import { cx } from './cx'
import { Icon } from './Icon'
import styles from './OddsButton.module.css'

export interface OddsButtonProps {
  oddId: number
  /** The short name of the odd: `1`, `X`, `Under`. */
  label: string
  /** The formatted price. */
  price: string
  /** `locked`: betting is closed now; `none`: there is no price. The size is the same in all states. */
  state: 'open' | 'locked' | 'none'
  movement?: 'up' | 'down' | undefined
  /** Whether the price moved just now and is highlighted. */
  flash?: boolean
  /** `price`: the label is only for screen readers, as a heading shows it; `labelled`: it is beside the price. */
  layout?: 'price' | 'labelled'
  /** Texts for screen readers: before the label, such as the match, and after it, for the state or the price. */
  spokenBefore?: string
  spokenState: string
  spokenMovement?: string | undefined
  /** Whether the odd is on the ticket. */
  picked?: boolean
  /** Gets the odd on which the press began. At its end the button may show another odd, or be locked. */
  onPress: (oddId: number) => void
  tabIndex?: number | undefined
  cell?: string | undefined
}

/**
 * A button with the price of an odd. Its size never changes: arrow and lock are in a corner, digits are tabular, and a
 * dash replaces a missing price. A locked price stays readable.
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
  // One `aria-label` instead of visually hidden elements: a list has hundreds of prices, and each element costs layout
  // time at every movement. The label must contain the visible text (WCAG 2.5.3).
  const hasPrice = price !== NO_PRICE
  const said = layout === 'labelled' ? [`${label} ${price}`] : [label, `${spokenState} ${price}`]
  const saidLocked = layout === 'labelled' ? [`${label} ${price}`, spokenState] : [label, spokenState, price]
  const spoken = [
    spokenBefore,
    ...(isOpen ? said : state === 'locked' && hasPrice ? saidLocked : [label, spokenState]),
    isOpen && movement ? spokenMovement : '',
  ]
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
      aria-pressed={isOpen || picked ? picked : undefined}
      aria-disabled={(!isOpen && !picked) || undefined}
      onPointerDown={() => {
        began.current = oddId
      }}
      onClick={(event) => {
        // `detail` is 0 if the click came from a key.
        onPress(event.detail === 0 ? oddId : (began.current ?? oddId))
        began.current = null
      }}
    >
      {picked && <Icon name="tick" className={styles.tick} />}
      {layout === 'labelled' && <span className={styles.label}>{label}</span>}
      {layout === 'labelled' && ' '}
      {state === 'locked' && <Icon name="lock" className={cx(styles.lock, hasPrice && styles.beside)} />}
      {(isNone || (state === 'locked' && hasPrice)) && (
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
