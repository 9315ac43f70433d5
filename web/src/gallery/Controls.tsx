import { useId, useState } from 'react'
import { Button, ButtonLink } from '../components/Button'
import { Chip } from '../components/Chip'
import { ICONS, Icon } from '../components/Icon'
import { IconButton } from '../components/IconButton'
import { Listbox } from '../components/Listbox'
import { Pill } from '../components/Pill'
import { RadioChips } from '../components/RadioChips'
import { RadioTiles } from '../components/RadioTiles'
import { Skeleton } from '../components/Skeleton'
import { Spinner } from '../components/Spinner'
import { Tabs } from '../components/Tabs'
import { AccountButton } from '../features/account/AccountButton'
import { PreferencesMenu } from '../features/preferences/PreferencesMenu'
import { ThemeButton } from '../features/preferences/ThemeButton'
import { useTranslation } from '../i18n/useTranslation'
import styles from './gallery.module.css'
import { Specimen } from './Specimen'
import { force, press } from './steps'

const LOOKS = ['primary', 'quiet', 'text'] as const
const HOVER = [force('hover', 'button')]
const FOCUS = [force('focus-visible', 'button')]
const ACTIVE = [force('active', 'button')]
const OPEN = [press('button')]
/** Room for a panel that opens below its button at the right. */
const ROOM = { display: 'flex', alignItems: 'flex-start', justifyContent: 'flex-end', height: '40rem' } as const

/** Buttons, toggles, fields and choices. */
export function Controls() {
  const { t } = useTranslation()
  return (
    <section className={styles.section}>
      <h2>Controls</h2>
      {LOOKS.map((look) => (
        <Specimen key={look} of="Button" is={look}>
          <Button look={look}>{t('continue')}</Button>
        </Specimen>
      ))}
      {LOOKS.map((look) => (
        <Specimen key={look} of="Button" is={`${look}, hover`} steps={HOVER}>
          <Button look={look}>{t('continue')}</Button>
        </Specimen>
      ))}
      <Specimen of="Button" is="primary, focus" steps={FOCUS}>
        <Button look="primary">{t('continue')}</Button>
      </Specimen>
      <Specimen of="Button" is="primary, pressed" steps={ACTIVE}>
        <Button look="primary">{t('continue')}</Button>
      </Specimen>
      <Specimen of="Button" is="primary, disabled">
        <Button look="primary" aria-disabled>
          {t('continue')}
        </Button>
      </Specimen>
      <Specimen of="Button" is="primary, busy">
        <Button look="primary" aria-disabled aria-busy>
          <Spinner />
          {t('liveConfirmBetWait')}
        </Button>
      </Specimen>
      <Specimen of="ButtonLink" is="normal">
        <ButtonLink href="#controls">{t('seeOffer')}</ButtonLink>
      </Specimen>
      <Specimen of="IconButton" is="normal, three sizes">
        <div className={styles.row}>
          <IconButton label={t('close')} icon="close" iconSize="s" />
          <IconButton label={t('close')} icon="close" />
          <IconButton label={t('close')} icon="close" iconSize="l" />
        </div>
      </Specimen>
      <Specimen of="IconButton" is="hover" steps={HOVER}>
        <IconButton label={t('close')} icon="close" />
      </Specimen>
      <Specimen of="Chip" is="off, on, with count and icon">
        <div className={styles.row}>
          <Chip text={t('all')} pressed={false} />
          <Chip text={t('all')} pressed />
          <Chip text={t('all')} pressed={false} count={12} icon="eye" iconSize="s" />
          <Chip text={t('all')} pressed count={12} icon="star" />
        </div>
      </Specimen>
      <Specimen of="Chip" is="hover" steps={HOVER}>
        <Chip text={t('all')} pressed={false} />
      </Specimen>
      <Specimen of="Pill, Spinner, Skeleton" is="normal">
        <div className={styles.row}>
          <Pill>12</Pill>
          <Spinner />
          <span style={{ display: 'grid', width: '6rem', height: '1rem' }}>
            <Skeleton />
          </span>
        </div>
      </Specimen>
      <Specimen of="RadioChips" is="second chosen">
        <Radios />
      </Specimen>
      <Specimen of="RadioTiles" is="second chosen">
        <Tiles />
      </Specimen>
      <Specimen of="Tabs" is="first turned">
        <TwoTabs />
      </Specimen>
      <Specimen of="Listbox" is="closed">
        <Choice />
      </Specimen>
      <Specimen of="Listbox" is="open" steps={OPEN} style={{ height: '10rem' }}>
        <Choice />
      </Specimen>
      <Specimen of="ThemeButton" is="normal">
        <ThemeButton />
      </Specimen>
      <Specimen of="AccountButton" is="not known yet" query="state=loading">
        <AccountButton />
      </Specimen>
      <Specimen of="AccountButton" is="stranger" query="anonymous=1">
        <AccountButton />
      </Specimen>
      <Specimen of="AccountButton" is="member, open" steps={OPEN} style={{ ...ROOM, height: '18.5rem' }}>
        <AccountButton />
      </Specimen>
      <Specimen of="PreferencesMenu" is="open" steps={OPEN} style={ROOM}>
        <PreferencesMenu />
      </Specimen>
      <Specimen of="Icon" is="all" isWide>
        <div className={styles.row}>
          {ICONS.map((name) => (
            <span key={name} className={styles.icon}>
              <Icon name={name} size="l" />
              {name}
            </span>
          ))}
        </div>
      </Specimen>
    </section>
  )
}

function Radios() {
  const { t } = useTranslation()
  const [value, setValue] = useState('open')
  return (
    <RadioChips
      label={t('betsFilter')}
      className={styles.row}
      chips={[
        { value: 'all', text: t('all'), count: 5 },
        { value: 'open', text: t('betsOpen'), count: '2+' },
        { value: 'won', text: t('betsWon'), count: 0 },
      ]}
      value={value}
      onChange={setValue}
    />
  )
}

function Tiles() {
  const { t } = useTranslation()
  const [value, setValue] = useState(2)
  return (
    <RadioTiles
      label={t('shortcuts')}
      columns={3}
      tiles={[
        { value: 1, text: t('shortcutsOn'), detail: t('shortcutsDetail') },
        { value: 2, text: t('shortcutsOff') },
        { value: 3, text: t('theme_auto') },
      ]}
      value={value}
      onChange={setValue}
    />
  )
}

function TwoTabs() {
  const { t } = useTranslation()
  const [value, setValue] = useState(0)
  const id = useId()
  return (
    <>
      <Tabs
        label={t('ticketType')}
        tabs={[
          { value: 0, text: t('standard') },
          { value: 1, text: t('system') },
        ]}
        value={value}
        onChange={setValue}
        panelId={id}
      />
      <div id={id} />
    </>
  )
}

function Choice() {
  const { t } = useTranslation()
  const [value, setValue] = useState(1)
  return (
    <Listbox
      label={t('firstColumn')}
      options={[
        { value: 1, text: '1X2' },
        { value: 2, text: t('consentTitle') },
        { value: 3, text: t('consentAll') },
      ]}
      value={value}
      onChange={setValue}
    />
  )
}
