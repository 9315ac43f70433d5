import { Icon, type IconName } from './Icon'
import { focusAtOnce, moveInList } from './listKeys'
import styles from './Menu.module.css'
import { closedBy } from './overlay'

export interface MenuItem {
  text: string
  icon: IconName
  onChoose: () => void
}

export interface MenuProps {
  label: string
  /** The pointer position in the window, in CSS pixels. */
  x: number
  y: number
  items: readonly MenuItem[]
  /** Called when the focus moves elsewhere. */
  onLeave: () => void
  /** Called on Escape or Tab. The owner must move the focus back to where it was. */
  onEscape: () => void
}

/** A context menu at the pointer. A choice, Escape, Tab or a click elsewhere closes it. */
export function Menu({ label, x, y, items, onLeave, onEscape }: MenuProps) {
  return (
    <div
      className={styles.menu}
      role="menu"
      aria-label={label}
      tabIndex={-1}
      style={{
        left: `clamp(8px, ${x}px, calc(100vw - 14rem - 8px))`,
        top: `clamp(8px, ${y}px, calc(100dvh - ${items.length * 3 + 1}rem))`,
      }}
      {...closedBy({
        onDismiss: onEscape,
        onLeave,
        onKey: (event) => {
          if (event.key === 'Tab') {
            onEscape()
            return true
          }
          return moveInList(event)
        },
      })}
    >
      {items.map((item, place) => (
        <button
          key={item.text}
          type="button"
          role="menuitem"
          tabIndex={-1}
          className={styles.item}
          ref={place === 0 ? focusAtOnce : undefined}
          onClick={item.onChoose}
        >
          <Icon name={item.icon} />
          <span>{item.text}</span>
        </button>
      ))}
    </div>
  )
}
