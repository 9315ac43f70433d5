import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { translatePage } from './translatePage'

interface SampleProps {
  amount: string
  isBusy?: boolean
}

test.each<[string, (props: SampleProps) => React.ReactNode]>([
  ['alone in its element', ({ amount }) => <b>{amount}</b>],
  ['in place of an element', ({ amount, isBusy }) => <b>{isBusy ? <i /> : amount}</b>],
  [
    'in an element of its own beside another',
    ({ amount, isBusy }) => (
      <b>
        {isBusy && <i />}
        <span>{amount}</span>
      </b>
    ),
  ],
])('a text that is %s still changes on a translated page', (_, Sample) => {
  const { container, rerender } = render(<Sample amount="10" />)
  translatePage()
  expect(container.querySelectorAll('font')).toHaveLength(2)
  rerender(<Sample amount="500" />)
  expect(container.textContent).toBe('500')
  translatePage()
  rerender(<Sample amount="20" isBusy />)
  translatePage()
  rerender(<Sample amount="30" />)
  expect(container.textContent).toBe('30')
})
