import { useId } from 'react'
import { cx } from './cx'
import styles from './RadioTiles.module.css'

export interface RadioTile<Value> {
  value: Value
  text: string
  /** Text of a second, smaller line. */
  detail?: string
  lang?: string
}

export interface RadioTilesProps<Value> {
  label: string
  tiles: readonly RadioTile<Value>[]
  value: Value
  onChange: (value: Value) => void
  columns: 2 | 3
}

/** A radio group as tiles. Native radio buttons: the browser handles arrow keys, names and groups. */
export function RadioTiles<Value extends string | number>({
  label,
  tiles,
  value,
  onChange,
  columns,
}: RadioTilesProps<Value>) {
  const name = useId()
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{label}</legend>
      <div className={cx(styles.tiles, styles[`columns${columns}`])}>
        {tiles.map((tile) => (
          <label key={tile.value} className={styles.tile} lang={tile.lang}>
            <input
              className={styles.input}
              type="radio"
              name={name}
              checked={tile.value === value}
              onChange={() => onChange(tile.value)}
            />
            <span className={styles.text}>{tile.text}</span>
            {tile.detail && <small className={styles.detail}>{tile.detail}</small>}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
