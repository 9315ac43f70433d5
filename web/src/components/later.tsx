/**
 * Components in separate chunks, shown as soon as they are loaded. `lazy` with `Suspense` waits until React has nothing
 * else to render; with twenty offer changes a second that takes seconds on a slow phone.
 */
import { type ComponentType, memo, useEffect, useState } from 'react'

/** Waits before further attempts to load a chunk, after a broken connection or during a deployment. */
const AGAIN_AFTER_MS = [500, 2000, 5000]

/** Loads a chunk, with further attempts after failures. Rejects with the last error. */
export async function persist<Module>(load: () => Promise<Module>): Promise<Module> {
  for (const ms of AGAIN_AFTER_MS) {
    try {
      return await load()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, ms))
    }
  }
  return load()
}

/**
 * A component that loads when it is first shown. A failure goes to the error boundary; showing it again loads again.
 * Memoised: such a part of the page is large, and the page renders for every view.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Waiting: ComponentType = Nothing,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null
  const Later = (props: Props) => {
    const [Part, setPart] = useState(() => loaded)
    useEffect(() => {
      if (!loaded) {
        persist(load).then(
          (part) => {
            loaded = part
            setPart(() => part)
          },
          // An error reaches the boundary only if it is thrown while rendering.
          (reason) =>
            setPart(() => {
              throw reason
            }),
        )
      }
    }, [])
    return Part ? <Part {...props} /> : <Waiting />
  }
  // The compared props are the same type; `memo` cannot see that.
  return memo(Later) as unknown as ComponentType<Props>
}

function Nothing() {
  return null
}
