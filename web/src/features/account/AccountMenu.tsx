import type { ReactNode } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Icon, type IconName } from '../../components/Icon'
import { Popover, type PopoverTriggerProps } from '../../components/Popover'
import { useTranslation } from '../../i18n/useTranslation'
import { pageOpened } from '../view/viewSlice'
import styles from './AccountMenu.module.css'
import { selectUser } from './accountSlice'
import { leave } from './leave'
import { useMoney } from './useMoney'

export interface AccountMenuProps {
  trigger: (props: PopoverTriggerProps) => ReactNode
  className?: string | undefined
}

/** Who is logged in, what they have, and where they may go. */
export function AccountMenu({ trigger, className }: AccountMenuProps) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const user = useAppSelector(selectUser)
  const money = useMoney()
  return (
    <Popover label={t('account')} trigger={trigger} className={className}>
      {(close) => (
        <>
          {user && (
            <div className={styles.balance}>
              <p className={styles.name}>{user.name}</p>
              <p className={styles.caption}>{t('available')}</p>
              <b className={styles.amount}>{money(user.balance)}</b>
            </div>
          )}
          <Item
            icon="slip"
            text={t('myBets')}
            onPress={() => {
              close()
              dispatch(pageOpened('bets'))
            }}
          />
          <Item
            icon="out"
            text={t('logout')}
            onPress={() => {
              close()
              dispatch(leave)
            }}
          />
        </>
      )}
    </Popover>
  )
}

function Item({ icon, text, onPress }: { icon: IconName; text: string; onPress: () => void }) {
  return (
    <button type="button" className={styles.item} onClick={onPress}>
      <Icon name={icon} />
      {text}
    </button>
  )
}
