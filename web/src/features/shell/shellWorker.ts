/**
 * The page's side of the service worker (worker/sw.js): registers it, makes it look for a new version, and reports when
 * this page has become outdated.
 */

/** The part of the browser that is used; tests replace it. */
export interface ShellWorld {
  readonly container: Pick<
    ServiceWorkerContainer,
    'register' | 'addEventListener' | 'removeEventListener' | 'controller'
  >
  /** The path of this page's entry script. */
  readonly entry: string
  /** Asks a worker whether an entry script belongs to its version. */
  readonly isOf: (worker: ServiceWorker, entry: string) => Promise<boolean>
}

export interface Shell {
  /** Looks for a new version. */
  readonly update: () => void
  readonly stop: () => void
}

export function startShell(
  { container, entry, isOf }: ShellWorld,
  onOld: () => void,
  visit: (href: string) => void,
): Shell {
  let registration: ServiceWorkerRegistration | null = null
  // The very first worker takes over a page of its own version, so the version is compared.
  const changed = () => {
    const { controller } = container
    if (controller) {
      void isOf(controller, entry).then((isCurrent) => !isCurrent && onOld())
    }
  }
  const told = ({ data }: MessageEvent) => {
    const href = (data as { visit?: unknown } | null)?.visit
    if (typeof href === 'string') {
      visit(href)
    }
  }
  container.addEventListener('controllerchange', changed)
  container.addEventListener('message', told as EventListener)
  container.register('/sw.js', { updateViaCache: 'none' }).then(
    (made) => {
      registration = made
    },
    () => {
      // Storage forbidden or full: the client works without a worker.
    },
  )
  return {
    update: () => void registration?.update().catch(ignoreOffline),
    stop: () => {
      container.removeEventListener('controllerchange', changed)
      container.removeEventListener('message', told as EventListener)
    },
  }
}

export function askWorker(worker: ServiceWorker, entry: string): Promise<boolean> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => resolve((data as { isCurrent?: unknown }).isCurrent === true)
    worker.postMessage({ entry }, [port2])
  })
}

/** The path of the entry script in `index.html`. */
export function entryOfPage(): string {
  const script = document.querySelector<HTMLScriptElement>('script[type="module"][src]')
  return script ? new URL(script.src).pathname : ''
}

function ignoreOffline(): void {
  // The next hello triggers another check.
}
