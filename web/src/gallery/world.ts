/** The gallery's environment: calls get the answer of the specimen, and modal dialogs open in place. */

/** The answer to a specimen's call. */
export type Answer = (url: URL) => Response | Promise<Response>

const NOBODY: Answer = () => new Response(null, { status: 503 })

let answer = NOBODY

/** Sets the answer for the components that are mounted next. */
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
  // The stream player uses XMLHttpRequest; its requests never finish.
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
