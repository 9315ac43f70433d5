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
  /** `price`: the label is for screen readers alone, a heading above shows it; `labelled`: it stands beside the price. */
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
  const className = cx(
    styles.odd,
    layout === 'labelled' ? styles.labelled : styles.bare,
    styles[state],
    state === 'open' && movement && styles[movement],
    state === 'open' && flash && styles.flash,
    picked && styles.picked,
  )
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
      aria-pressed={picked}
      aria-disabled={state !== 'open' && !picked}
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
      {spokenBefore && <span className="vh">{`${spokenBefore}, `}</span>}
      <span className={styles.label}>{label}</span>
      <span className="vh">{`, ${spokenState} `}</span>
      {state === 'locked' && <Icon name="lock" className={styles.lock} />}
      {state === 'none' && (
        <span className={styles.price} aria-hidden="true">
          {price}
        </span>
      )}
      {state === 'open' && (
        <b className={styles.price} data-price="">
          {price}
        </b>
      )}
      {state === 'open' && movement && (
        <>
          <span className={styles.arrow} aria-hidden="true" />
          <span className="vh">{`, ${spokenMovement}`}</span>
        </>
      )}
    </button>
  )
}
