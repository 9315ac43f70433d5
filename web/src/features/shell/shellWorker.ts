/**
 * The service worker from the page's side (worker/sw.js): puts it in place once the page is at rest, asks it for a new
 * version when the server turns out to be one, and tells when this page has become the old one.
 */

/** What of the browser is used. */
export interface ShellWorld {
  readonly container: Pick<
    ServiceWorkerContainer,
    'register' | 'addEventListener' | 'removeEventListener' | 'controller'
  >
  /** The path of this page's own first script. */
  readonly entry: string
  /** Asks a worker whether a script is of its version. */
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
  // The first worker of all takes over a page that is as new as itself.
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
      // Storage forbidden, or full: the client works without.
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

/** The path of the script `index.html` begins with. */
export function entryOfPage(): string {
  const script = document.querySelector<HTMLScriptElement>('script[type="module"][src]')
  return script ? new URL(script.src).pathname : ''
}

function ignoreOffline(): void {
  // It is looked for again at the next hello.
}
