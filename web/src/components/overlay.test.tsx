import { act, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, useState } from 'react'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { Callout } from './Callout'
import { Cover } from './Cover'
import { ModalDialog } from './Dialog'
import { Listbox } from './Listbox'
import { Menu } from './Menu'
import { Popover } from './Popover'

beforeAll(() => {
  // happy-dom does not have them.
  HTMLElement.prototype.showPopover ??= () => undefined
  HTMLElement.prototype.hidePopover ??= () => undefined
})

const focused = () => document.activeElement

/** A button that opens an overlay, between two others. */
function Page({ overlay }: { overlay: (close: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <header>
        <button type="button">before</button>
      </header>
      <main>
        <button type="button" onClick={() => setOpen(true)}>
          open
        </button>
      </main>
      {isOpen && overlay(() => setOpen(false))}
      <div role="status" />
      <footer aria-hidden="true" />
    </>
  )
}

describe.each([
  ['a modal dialog', (close: () => void) => <Modal close={close} />],
  ['a cover', (close: () => void) => <Over close={close} />],
])('%s', (_, overlay) => {
  test('Escape closes it, returns the focus, and does nothing else', async () => {
    const below = vi.fn()
    document.addEventListener('keydown', below)
    render(<Page overlay={overlay} />)
    const user = userEvent.setup()
    await user.click(screen.getByRole('button', { name: 'open' }))
    screen.getByRole('textbox').focus()
    await user.keyboard('{Escape}')
    document.removeEventListener('keydown', below)
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(focused()).toBe(screen.getByRole('button', { name: 'open' }))
    expect(below).not.toHaveBeenCalled()
  })

  test('a press beside its content closes it, one that begins in the content does not', async () => {
    render(<Page overlay={overlay} />)
    const user = userEvent.setup()
    await user.click(screen.getByRole('button', { name: 'open' }))
    const field = screen.getByRole('textbox')
    const outer = document.querySelector('dialog, [popover]') as HTMLElement
    await user.pointer([{ keys: '[MouseLeft>]', target: field }, { target: outer }, { keys: '[/MouseLeft]' }])
    fireEvent.click(outer)
    expect(field.isConnected).toBe(true)
    await user.click(outer)
    expect(field.isConnected).toBe(false)
  })
})

function Modal({ close }: { close: () => void }) {
  return (
    <ModalDialog aria-label="modal" onEscape={close} onPressBeside={close}>
      <input type="text" />
    </ModalDialog>
  )
}

function Over({ close }: { close: () => void }) {
  return (
    <Cover label="cover" className="" onClose={close}>
      <input type="text" />
      <button type="button">last</button>
    </Cover>
  )
}

describe('a cover', () => {
  test('hides the page from screen readers while it is open, but for announcements', async () => {
    const { container } = render(<Page overlay={(close) => <Over close={close} />} />)
    const hidden = () => [...container.children].map((child) => child.getAttribute('aria-hidden'))
    const user = userEvent.setup()
    await user.click(screen.getByRole('button', { name: 'open' }))
    // Header, main, cover, status, footer.
    expect(hidden()).toEqual(['true', 'true', null, null, 'true'])
    await user.keyboard('{Escape}')
    expect(hidden()).toEqual([null, null, null, 'true'])
  })

  test('keeps the focus', async () => {
    render(<Page overlay={(close) => <Over close={close} />} />)
    const user = userEvent.setup()
    await user.click(screen.getByRole('button', { name: 'open' }))
    expect(focused()).toBe(screen.getByRole('textbox'))
    await user.tab({ shift: true })
    expect(focused()).toBe(screen.getByRole('button', { name: 'last' }))
    await user.tab()
    expect(focused()).toBe(screen.getByRole('textbox'))
  })
})

describe('a popover', () => {
  function show() {
    render(
      <>
        <Popover
          label="panel"
          trigger={(props) => (
            <button type="button" {...props}>
              open
            </button>
          )}
        >
          <button type="button">inside</button>
        </Popover>
        <button type="button">after</button>
      </>,
    )
    return userEvent.setup()
  }

  test('has the focus; Escape returns it to the button', async () => {
    const user = show()
    await user.click(screen.getByRole('button', { name: 'open' }))
    expect(focused()).toBe(screen.getByRole('dialog', { name: 'panel' }))
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(focused()).toBe(screen.getByRole('button', { name: 'open', expanded: false }))
  })

  test('closes when the focus leaves it, and the focus stays there', async () => {
    const user = show()
    await user.click(screen.getByRole('button', { name: 'open' }))
    await user.tab()
    expect(focused()).toBe(screen.getByRole('button', { name: 'inside' }))
    await user.tab()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(focused()).toBe(screen.getByRole('button', { name: 'after' }))
  })

  test('a press of its button closes it, also where pressed buttons do not take the focus', async () => {
    const user = show()
    const button = screen.getByRole('button', { name: 'open' })
    await user.click(button)
    // What Safari does: the nearest ancestor that can take the focus gets it.
    act(() => (button.parentElement as HTMLElement).focus())
    fireEvent.click(button)
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('Escape on its button is not handled while it is closed', () => {
    show()
    const button = screen.getByRole('button', { name: 'open' })
    expect(fireEvent.keyDown(button, { key: 'Escape' })).toBe(true)
  })
})

describe('a listbox', () => {
  const OPTIONS = ['Konačan ishod', 'Dvostruka šansa', 'Kutovi'].map((text, value) => ({ text, value }))

  function show() {
    const onChange = vi.fn()
    render(
      <>
        <button type="button">before</button>
        <Listbox label="set" options={OPTIONS} value={0} onChange={onChange} />
        <button type="button">after</button>
      </>,
    )
    return { user: userEvent.setup(), onChange, button: screen.getByRole('button', { name: 'set: Konačan ishod' }) }
  }

  test('arrows open it at the chosen option and move; Enter chooses', async () => {
    const { user, onChange, button } = show()
    button.focus()
    await user.keyboard('{ArrowDown}')
    expect(focused()).toBe(screen.getByRole('option', { selected: true }))
    await user.keyboard('{ArrowDown}{Enter}')
    expect(onChange).toHaveBeenCalledExactlyOnceWith(1)
    expect(focused()).toBe(button)
  })

  test('letters move to the option that begins with them', async () => {
    const { user, button } = show()
    await user.click(button)
    await user.keyboard('ku')
    expect(focused()).toBe(screen.getByRole('option', { name: 'Kutovi' }))
  })

  test.each([
    [false, 'after'],
    [true, 'before'],
  ])('Tab (Shift: %s) closes it and goes on from its button', async (shift, name) => {
    const { user, button } = show()
    await user.click(button)
    await user.tab({ shift })
    expect(screen.queryByRole('listbox')).toBeNull()
    expect(focused()).toBe(screen.getByRole('button', { name }))
  })
})

describe('a menu', () => {
  function show() {
    const calls = { onLeave: vi.fn(), onEscape: vi.fn(), onChoose: vi.fn() }
    render(
      <>
        <Menu
          label="menu"
          x={0}
          y={0}
          items={[
            { text: 'Otvori', icon: 'list', onChoose: calls.onChoose },
            { text: 'Sakrij', icon: 'eyeOff', onChoose: calls.onChoose },
          ]}
          onLeave={calls.onLeave}
          onEscape={calls.onEscape}
        />
        <button type="button">after</button>
      </>,
    )
    return { user: userEvent.setup(), ...calls }
  }

  test('starts at its first item; letters and arrows move', async () => {
    const { user } = show()
    expect(focused()).toBe(screen.getByRole('menuitem', { name: 'Otvori' }))
    await user.keyboard('s')
    expect(focused()).toBe(screen.getByRole('menuitem', { name: 'Sakrij' }))
    await user.keyboard('{ArrowDown}')
    expect(focused()).toBe(screen.getByRole('menuitem', { name: 'Otvori' }))
  })

  test.each(['{Escape}', '{Tab}'])('%s closes it', async (key) => {
    const { user, onEscape, onLeave } = show()
    await user.keyboard(key)
    expect(onEscape).toHaveBeenCalledOnce()
    expect(onLeave).not.toHaveBeenCalled()
  })

  test('a press elsewhere closes it', async () => {
    const { user, onLeave } = show()
    await user.click(screen.getByRole('button', { name: 'after' }))
    expect(onLeave).toHaveBeenCalledOnce()
  })
})

describe('a callout that a key opened', () => {
  function show() {
    const onClose = vi.fn()
    const of = document.body.appendChild(document.createElement('button'))
    of.focus()
    render(
      <Callout of={of} takesFocus closingKey="g" onClose={onClose} aria-label="callout">
        text
      </Callout>,
    )
    return { user: userEvent.setup(), onClose, of }
  }

  test.each(['{Escape}', '{Tab}', 'g'])('%s closes it and returns the focus', async (key) => {
    const { user, onClose, of } = show()
    expect(focused()).toBe(screen.getByRole('dialog', { name: 'callout' }))
    await user.keyboard(key)
    expect(onClose).toHaveBeenCalled()
    expect(focused()).toBe(of)
    of.remove()
  })
})
