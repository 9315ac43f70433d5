import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react'
import { Provider } from 'react-redux'
import { cx } from '../components/cx'
import styles from './gallery.module.css'
import type { Step } from './steps'
import { type Held, storeOf } from './stores'
import { type Answer, answerWith } from './world'

export interface SpecimenProps extends Held {
  /** The name of the component. */
  of: string
  /** The state that is shown. */
  is: string
  children: ReactNode
  /** Actions after mounting, one per animation frame. */
  steps?: readonly Step[]
  /** The server's answer to its calls. */
  answer?: Answer
  /** Uses the whole width of the gallery. */
  isWide?: boolean
  /** As high as a window; the screenshot tests of the gallery skip it. */
  isPage?: boolean
  /** Shown on a surface, as in the page. */
  isOnSurface?: boolean
  style?: CSSProperties
}

const NO_STEPS: readonly Step[] = []

/** A component in one state, with a title. Elements with a fixed position are fixed to the specimen here. */
export function Specimen({
  of,
  is,
  children,
  steps = NO_STEPS,
  answer,
  isWide,
  isPage,
  isOnSurface,
  style,
  ...held
}: SpecimenProps) {
  const [store] = useState(() => storeOf(held))
  const box = useRef<HTMLDivElement>(null)
  const [isReady, setReady] = useState(steps.length === 0)
  useEffect(() => {
    // Opened panels stay open when the focus moves to another specimen.
    const element = box.current
    const stay = (event: FocusEvent) => event.stopPropagation()
    element?.addEventListener('focusout', stay)
    return () => element?.removeEventListener('focusout', stay)
  }, [])
  useEffect(() => {
    let isOver = false
    const go = async () => {
      for (const step of steps) {
        await new Promise(requestAnimationFrame)
        if (isOver || !box.current) {
          return
        }
        // Other specimens have set theirs since.
        answerWith(answer)
        step(box.current)
      }
      setReady(true)
    }
    void go()
    return () => {
      isOver = true
    }
  }, [steps, answer])
  return (
    <article
      className={cx(styles.specimen, isWide && styles.isWide, isPage && styles.isPage)}
      data-waiting={isReady ? undefined : ''}
    >
      <h3 className={styles.name}>
        {of} <span className={styles.is}>{is}</span>
      </h3>
      <div ref={box} className={cx(styles.frame, isOnSurface && styles.surface)} style={style}>
        <Provider store={store}>
          <Answers by={answer} />
          {children}
        </Provider>
      </div>
    </article>
  )
}

/** Sets the answer for the components after it, because React runs the effects of earlier siblings first. */
function Answers({ by }: { by: Answer | undefined }) {
  useEffect(() => answerWith(by), [by])
  return null
}
