/**
 * A component that is a chunk of its own, shown as soon as it is here. React's own way, `lazy` with `Suspense`, shows it
 * when nothing else has to be rendered: twenty changes of the offer a second put that off for seconds on a slow phone.
 */
import { type ComponentType, useEffect, useState } from 'react'

/** A chunk that does not come, for the connection broke or a new version was put in place, is asked for again. */
const AGAIN_AFTER_MS = [500, 2000, 5000]

/** Asks for it, and again, before it gives up. */
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

/** What could not be got is for the boundary around it; shown once more, it is asked for once more. */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Waiting: ComponentType = Nothing,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null
  return function Later(props: Props) {
    const [Part, setPart] = useState(() => loaded)
    useEffect(() => {
      if (!loaded) {
        persist(load).then(
          (part) => {
            loaded = part
            setPart(() => part)
          },
          // Thrown while rendering, it reaches the boundary.
          (reason) =>
            setPart(() => {
              throw reason
            }),
        )
      }
    }, [])
    return Part ? <Part {...props} /> : <Waiting />
  }
}

function Nothing() {
  return null
}
