import { act, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { type Deferred, deferred } from '../testing/deferred'
import { type Answer, Done, Failed, Form, PressButton, useForm } from './Form'

type Name = 'name' | 'city'
type Call = (signal: AbortSignal) => Promise<Answer<Name>>

/** A form with two fields, both required, that makes `call`. */
function Sample({ call }: { call: Call }) {
  const form = useForm<Name>()
  const field = (name: Name) => <input aria-label={name} name={name} aria-invalid={form.errors[name] !== undefined} />
  const submit = (data: FormData) => {
    const missing = (['name', 'city'] as const).filter((name) => data.get(name) === '')
    if (missing.length > 0) {
      form.show({ errors: Object.fromEntries(missing.map((name) => [name, 'missing'])) })
    } else {
      form.send(call, (error) => ({ failed: String(error), focus: 'city' }))
    }
  }
  return (
    <Form form={form} onSubmit={submit} aria-label="sample">
      {field('name')}
      {field('city')}
      <Failed text={form.failed} />
      <Done text={form.done} />
      <PressButton type="submit" isBusy={form.isBusy}>
        Send
      </PressButton>
      <button type="button" onClick={form.stop}>
        Stop
      </button>
    </Form>
  )
}

/** Renders the form with calls that the test answers. */
function show({ isFilled = true } = {}) {
  const answers: Deferred<Answer<Name>>[] = []
  const signals: AbortSignal[] = []
  const call = vi.fn<Call>((signal) => {
    signals.push(signal)
    const answer = deferred<Answer<Name>>()
    answers.push(answer)
    return answer.promise
  })
  const { unmount } = render(<Sample call={call} />)
  if (isFilled) {
    for (const name of ['name', 'city']) {
      fireEvent.change(screen.getByLabelText(name), { target: { value: 'x' } })
    }
  }
  const answer = (value: Answer<Name>, place = 0) => act(async () => answers[place]?.resolve(value))
  return { call, answer, signals, unmount, user: userEvent.setup() }
}

const button = () => screen.getByRole('button', { name: 'Send' })
const form = () => screen.getByRole('form', { name: 'sample' })

test('two presses in the same moment make one call', () => {
  const { call } = show()
  // Both before the next render.
  act(() => {
    button().click()
    button().click()
  })
  expect(call).toHaveBeenCalledTimes(1)
})

test('a press during a call makes no other, a press after it does', async () => {
  const { call, answer, user } = show()
  await user.click(button())
  await user.keyboard('{Enter}')
  expect(call).toHaveBeenCalledTimes(1)
  await answer({ done: 'saved' })
  await user.keyboard('{Enter}')
  expect(call).toHaveBeenCalledTimes(2)
})

test('the second click of a double click does nothing, even if the call is already answered', async () => {
  const { call, answer } = show()
  fireEvent.click(button(), { detail: 1 })
  await answer({})
  fireEvent.click(button(), { detail: 2 })
  expect(call).toHaveBeenCalledTimes(1)
})

test.each([
  ['field', () => screen.getByLabelText('city')],
  ['button', button],
])('a held Enter in the %s submits once', (_, element) => {
  show()
  expect(fireEvent.keyDown(element(), { key: 'Enter' })).toBe(true)
  expect(fireEvent.keyDown(element(), { key: 'Enter', repeat: true })).toBe(false)
})

test('a held letter is typed', () => {
  show()
  expect(fireEvent.keyDown(screen.getByLabelText('city'), { key: 'a', repeat: true })).toBe(true)
})

test('during a call the form and its button are busy', async () => {
  const { answer, user } = show()
  const states = () => [form().getAttribute('aria-busy'), button().getAttribute('aria-disabled')]
  const hasSpinner = () => button().querySelector('[aria-hidden]') !== null
  expect([states(), hasSpinner()]).toEqual([['false', 'false'], false])
  await user.click(button())
  expect([states(), hasSpinner()]).toEqual([['true', 'true'], true])
  await answer({})
  expect([states(), hasSpinner()]).toEqual([['false', 'false'], false])
})

test('the focus moves to the first wrong field, and nothing is sent', async () => {
  const { call, user } = show({ isFilled: false })
  await user.click(button())
  expect(document.activeElement).toBe(screen.getByLabelText('name'))
  await user.keyboard('x{Enter}')
  expect(document.activeElement).toBe(screen.getByLabelText('city'))
  expect(screen.getByLabelText('name').getAttribute('aria-invalid')).toBe('false')
  expect(call).not.toHaveBeenCalled()
})

test('an answer about a field moves the focus there', async () => {
  const { answer, user } = show()
  await user.click(button())
  await answer({ errors: { city: 'unknown' } })
  expect(document.activeElement).toBe(screen.getByLabelText('city'))
  expect(screen.getByLabelText('city').getAttribute('aria-invalid')).toBe('true')
})

test('a failure is announced by a region that was already there, until the next call', async () => {
  const { answer, user } = show()
  const region = screen.getByRole('alert')
  expect(region.textContent).toBe('')
  await user.click(button())
  await answer({ failed: 'no network' })
  expect(region.textContent).toBe('no network')
  await user.click(button())
  expect(region.textContent).toBe('')
})

test('a rejected call is a failure, and the form can be sent again', async () => {
  const { call, user } = show()
  call.mockRejectedValueOnce('no network')
  await user.click(button())
  expect(screen.getByRole('alert').textContent).toBe('no network')
  expect(document.activeElement).toBe(screen.getByLabelText('city'))
  await user.click(button())
  expect(call).toHaveBeenCalledTimes(2)
})

test('success is announced politely', async () => {
  const { answer, user } = show()
  const region = screen.getByRole('status')
  await user.click(button())
  await answer({ done: 'saved' })
  expect(region.textContent).toBe('saved')
})

test('the answer to a call that was given up is ignored', async () => {
  const { answer, signals, user } = show()
  await user.click(button())
  await user.click(screen.getByRole('button', { name: 'Stop' }))
  expect(signals[0]?.aborted).toBe(true)
  await user.click(button())
  await answer({ failed: 'of the first' })
  expect([screen.getByRole('alert').textContent, form().getAttribute('aria-busy')]).toEqual(['', 'true'])
  await answer({ done: 'of the second' }, 1)
  expect(screen.getByRole('status').textContent).toBe('of the second')
})

test('a form that is gone gives up its call', async () => {
  const { signals, user, unmount } = show()
  await user.click(button())
  expect(signals[0]?.aborted).toBe(false)
  unmount()
  expect(signals[0]?.aborted).toBe(true)
})
