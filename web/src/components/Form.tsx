import { type ComponentProps, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { Alert } from './Alert'
import { Button, type ButtonProps } from './Button'
import { ignoreHeldKey, once } from './deliberatePress'
import { Spinner } from './Spinner'

/** What is wrong, by the name of the field. */
export type FieldErrors<Name extends string> = Readonly<Partial<Record<Name, string>>>

/** What a form shows after a press of its button. */
export interface Answer<Name extends string = string> {
  /** The first wrong field gets the focus. */
  readonly errors?: FieldErrors<Name>
  /** What is wrong with no single field. */
  readonly failed?: string
  readonly done?: string
  /** The field that gets the focus if none is wrong. */
  readonly focus?: Name
}

export interface FormState<Name extends string = string> {
  readonly ref: RefObject<HTMLFormElement | null>
  readonly isBusy: boolean
  readonly errors: FieldErrors<Name>
  readonly failed: string
  readonly done: string
  /** Shows an answer in place of the previous one. */
  readonly show: (answer: Answer<Name>) => void
  /** Makes a call and shows its answer. Does nothing during another call. The signal aborts when the form is gone. */
  readonly send: (
    call: (signal: AbortSignal) => Promise<Answer<Name>>,
    failure: (error: unknown) => Answer<Name>,
  ) => void
  /** Gives up the call, so that another one can be made. */
  readonly stop: () => void
}

/** The state of a form: one call at a time, and what the last one answered. */
export function useForm<Name extends string = string>(first: Answer<Name> = {}): FormState<Name> {
  const [answer, setAnswer] = useState(first)
  const [isBusy, setBusy] = useState(false)
  const ref = useRef<HTMLFormElement>(null)
  /** Set at once, unlike the state: a second press may come before the next render. */
  const calling = useRef<AbortController | null>(null)
  const show = (next: Answer<Name>) => {
    setAnswer(next)
    const named = Array.from(ref.current?.querySelectorAll<HTMLElement>('[name]') ?? [])
    const nameOf = (field: HTMLElement) => field.getAttribute('name') as Name
    const wrong = named.find((field) => next.errors?.[nameOf(field)] !== undefined)
    const field = wrong ?? named.find((each) => nameOf(each) === next.focus)
    field?.focus()
  }
  const stop = () => {
    calling.current?.abort()
    calling.current = null
    setBusy(false)
  }
  const send: FormState<Name>['send'] = async (call, failure) => {
    if (calling.current) {
      return
    }
    const giveUp = new AbortController()
    calling.current = giveUp
    setBusy(true)
    setAnswer({})
    const next = await call(giveUp.signal).catch(failure)
    if (!giveUp.signal.aborted) {
      calling.current = null
      setBusy(false)
      show(next)
    }
  }
  useEffect(() => () => calling.current?.abort(), [])
  const { errors = {} as FieldErrors<Name>, failed = '', done = '' } = answer
  return { ref, isBusy, errors, failed, done, show, send, stop }
}

interface FormProps extends Omit<ComponentProps<'form'>, 'form' | 'onSubmit'> {
  // Any names: a form shows nothing by name.
  form: Pick<FormState, 'ref' | 'isBusy'>
  onSubmit: (data: FormData) => void
}

/** A form that ignores submissions while it is busy. Its button is a `PressButton`. */
export function Form({ form, onSubmit, ...rest }: FormProps) {
  return (
    <form
      ref={form.ref}
      onSubmit={(event) => {
        event.preventDefault()
        if (!form.isBusy) {
          onSubmit(new FormData(event.currentTarget))
        }
      }}
      onKeyDown={(event: KeyboardEvent) => event.key === 'Enter' && ignoreHeldKey(event)}
      noValidate
      aria-busy={form.isBusy}
      {...rest}
    />
  )
}

/** What failed, for screen readers too. It must be there before the text is. */
export function Failed({ text, className }: { text: string; className?: string | undefined }) {
  return (
    <div role="alert" className={className}>
      {text && <Alert look="danger">{text}</Alert>}
    </div>
  )
}

/** What was done, for screen readers too. It must be there before the text is. */
export function Done({ text, className }: { text: string; className?: string | undefined }) {
  return (
    <div role="status" className={className}>
      {text && <Alert look="info">{text}</Alert>}
    </div>
  )
}

export interface PressButtonProps extends Omit<ButtonProps, 'onClick' | 'onKeyDown'> {
  /** Whether it shows that its call is under way. */
  isBusy?: boolean | undefined
  /** What a deliberate press does, besides submitting the form. */
  onPress?: (() => unknown) | undefined
}

/** A button for what must not happen by mistake: double clicks and held keys count as one press. */
export function PressButton({ isBusy = false, onPress, children, ...rest }: PressButtonProps) {
  return (
    <Button aria-disabled={isBusy} {...rest} onKeyDown={ignoreHeldKey} onClick={once(onPress)}>
      {isBusy && <Spinner />}
      <span>{children}</span>
    </Button>
  )
}
