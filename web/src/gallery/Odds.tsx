import { OddsButton, type OddsButtonProps } from '../components/OddsButton'
import styles from './gallery.module.css'
import { Specimen } from './Specimen'
import { force } from './steps'

const BASE: OddsButtonProps = {
  oddId: 1,
  label: 'X',
  price: '3.20',
  state: 'open',
  spokenState: '',
  onPress: () => undefined,
}

const UP = { movement: 'up', spokenMovement: '' } as const
const DOWN = { movement: 'down', spokenMovement: '' } as const

const STATES: Readonly<Record<string, Partial<OddsButtonProps>>> = {
  normal: {},
  'on the ticket': { picked: true },
  'gone up': UP,
  'gone up, flash': { ...UP, flash: true },
  'gone down': DOWN,
  'gone down, flash': { ...DOWN, flash: true },
  'on the ticket, gone up': { ...UP, picked: true },
  'on the ticket, gone down': { ...DOWN, picked: true },
  suspended: { state: 'locked' },
  'suspended, on the ticket': { state: 'locked', picked: true },
  'no price': { state: 'none', price: '-' },
  'three figures': { price: '126' },
}

const HOVER = [force('hover', 'button')]
const FOCUS = [force('focus-visible', 'button')]

const LAYOUTS = {
  price: { layout: 'price' },
  labelled: { layout: 'labelled', label: 'Hajduk' },
} as const

/** The odds button in both layouts. */
export function Odds() {
  return Object.entries(LAYOUTS).map(([name, layout]) => (
    <section key={name} className={styles.section} style={{ '--least': '10rem' } as React.CSSProperties}>
      <h2>OddsButton, {name}</h2>
      {Object.entries(STATES).map(([is, state]) => (
        <Specimen key={is} of="" is={is}>
          <Odd {...layout} {...state} />
        </Specimen>
      ))}
      <Specimen of="" is="hover" steps={HOVER}>
        <Odd {...layout} />
      </Specimen>
      <Specimen of="" is="focus" steps={FOCUS}>
        <Odd {...layout} />
      </Specimen>
      <Specimen of="" is="on the ticket, hover" steps={HOVER}>
        <Odd {...layout} picked />
      </Specimen>
    </section>
  ))
}

/** An odds button in a box of fixed size, as in a row. */
function Odd(state: Partial<OddsButtonProps>) {
  return (
    <div className={styles.flex}>
      <OddsButton {...BASE} {...state} />
    </div>
  )
}
