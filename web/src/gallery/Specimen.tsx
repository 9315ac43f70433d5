import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react'
import { Provider } from 'react-redux'
import { cx } from '../components/cx'
import styles from './gallery.module.css'
import type { Step } from './steps'
import { type Held, storeOf } from './stores'
import { type Answer, answerWith } from './world'

export interface SpecimenProps extends Held {
  /** The component. */
  of: string
  /** Its state. */
  is: string
  children: ReactNode
  /** Done once it is mounted, one a frame. */
  steps?: readonly Step[]
  /** What the server says when it asks. */
  answer?: Answer
  /** The whole width of the gallery. */
  isWide?: boolean
  /** As high as a window: no picture is taken of it here. */
  isPage?: boolean
  /** As it lies in the page: on a surface of its own. */
  isOnSurface?: boolean
  style?: CSSProperties
}

const NO_STEPS: readonly Step[] = []

/** A component in a state, under its name. What is fixed to the window is fixed to the specimen here. */
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
    // What was opened stays open, whichever specimen is turned to next.
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
        step(box.current)
      }
      setReady(true)
    }
    void go()
    return () => {
      isOver = true
    }
  }, [steps])
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

/** Effects of what stands earlier run earlier: what comes after it is answered so. */
function Answers({ by }: { by: Answer | undefined }) {
  useEffect(() => answerWith(by), [by])
  return null
}
