import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Icon, type IconName } from '../../components/Icon'
import { useTranslation } from '../../i18n/useTranslation'
import { selectUser } from '../../platform/account/accountSlice'
import { useMoney } from '../../platform/account/useMoney'
import { pageOpened, panelTurned } from '../../platform/view/viewSlice'
import styles from './AccountPanel.module.css'
import { leave } from './leave'

/** The user's name, balance and links. */
export function AccountPanel({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const user = useAppSelector(selectUser)
  const money = useMoney()
  return (
    <>
      {user && (
        <div className={styles.balance}>
          <p className={styles.name}>{user.name}</p>
          <p className={styles.caption}>{t('available')}</p>
          <b className={styles.amount}>{money(user.balance)}</b>
          {Number(user.receivable ?? 0) > 0 && (
            <div className={styles.owed}>
              <p className={styles.caption}>{t('receivable')}</p>
              <b className={styles.debt}>{money(user.receivable ?? '0.00')}</b>
              <p className={styles.caption}>{t('receivableText')}</p>
            </div>
          )}
        </div>
      )}
      <Item
        icon="slip"
        text={t('myBets')}
        onPress={() => {
          onDone()
          dispatch(pageOpened('bets'))
        }}
      />
      <Item
        icon="list"
        text={t('statement')}
        onPress={() => {
          onDone()
          dispatch(pageOpened('statement'))
        }}
      />
      {(user?.cashier ?? 'none') !== 'none' && (
        <Item
          icon="plus"
          text={t('cashier')}
          onPress={() => {
            onDone()
            dispatch(panelTurned('cashier'))
          }}
        />
      )}
      <Item
        icon="lock"
        text={t('security')}
        onPress={() => {
          onDone()
          dispatch(panelTurned('security'))
        }}
      />
      <Item
        icon="clock"
        text={t('protection')}
        onPress={() => {
          onDone()
          dispatch(panelTurned('protection'))
        }}
      />
      <Item
        icon="out"
        text={t('logout')}
        onPress={() => {
          onDone()
          dispatch(leave)
        }}
      />
    </>
  )
}

function Item({ icon, text, onPress }: { icon: IconName; text: string; onPress: () => void }) {
  return (
    <button type="button" className={styles.item} onClick={onPress}>
      <Icon name={icon} />
      <span>{text}</span>
    </button>
  )
}
