/** The world of the gallery: no server answers but as a specimen says, and a dialog stands among the others. */

/** What a call is answered with while a specimen asks. */
export type Answer = (url: URL) => Response | Promise<Response>

const NOBODY: Answer = () => new Response(null, { status: 503 })

let answer = NOBODY

/** For the calls of the components that are mounted next. */
export function answerWith(next: Answer | undefined): void {
  answer = next ?? NOBODY
}

export const never: Answer = () => new Promise<Response>(() => undefined)

export const status =
  (code: number): Answer =>
  () =>
    new Response(null, { status: code })

export const json =
  (body: unknown): Answer =>
  () =>
    new Response(JSON.stringify(body))

export function hold(): void {
  window.fetch = async (input) => answer(new URL(input instanceof Request ? input.url : input, location.href))
  // The player of streams asks in its own way: it waits for as long as it is looked at.
  XMLHttpRequest.prototype.send = () => undefined
  HTMLMediaElement.prototype.play = () => new Promise(() => undefined)
  HTMLDialogElement.prototype.showModal = function showInline(this: HTMLDialogElement) {
    this.open = true
  }
  HTMLElement.prototype.showPopover = function showInline(this: HTMLElement) {
    this.popover = null
  }
  HTMLElement.prototype.hidePopover = () => undefined
}
