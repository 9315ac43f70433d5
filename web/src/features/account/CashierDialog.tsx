import { useId, useState } from 'react'
import type { PaymentKind } from '../../api/cashierApi'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Button } from '../../components/Button'
import { HeadedDialog } from '../../components/HeadedDialog'
import { Tabs } from '../../components/Tabs'
import { useTranslation } from '../../i18n/useTranslation'
import { selectUser } from '../../platform/account/accountSlice'
import { ExclusionLine } from '../../platform/account/ExclusionLine'
import { selectExclusion } from '../../platform/account/protectionSlice'
import { panelTurned } from '../../platform/view/viewSlice'
import styles from './CashierDialog.module.css'
import { PaymentForm } from './PaymentForm'
import { paymentStorage } from './unsurePayment'

const KINDS = ['deposit', 'withdrawal'] as const

/** Pays money into and out of the account. */
export function CashierDialog() {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const user = useAppSelector(selectUser)
  const [storage] = useState(paymentStorage)
  const exclusion = useAppSelector(selectExclusion)
  const [chosen, setKind] = useState<PaymentKind>(() => storage.read(user?.name ?? '')?.kind ?? 'deposit')
  // During an exclusion nothing can be paid in.
  const kind = exclusion ? 'withdrawal' : chosen
  const panelId = useId()
  const form = user && <PaymentForm key={kind} kind={kind} user={user} storage={storage} />
  return (
    <HeadedDialog title={t('cashier')} onClose={() => dispatch(panelTurned(null))}>
      {exclusion ? (
        <>
          <div className={styles.barred}>
            <ExclusionLine exclusion={exclusion} isInCashier />
          </div>
          <section className={styles.panel} aria-label={t('cashier_withdrawal')}>
            {form}
          </section>
        </>
      ) : (
        <>
          <Tabs<PaymentKind>
            label={t('cashier')}
            tabs={KINDS.map((value) => ({ value, text: t(`cashier_${value}`) }))}
            value={kind}
            onChange={setKind}
            panelId={panelId}
          />
          <div id={panelId} className={styles.panel} role="tabpanel" aria-label={t(`cashier_${kind}`)}>
            {form}
          </div>
        </>
      )}
      {user?.cashier === 'demo' && <p className={styles.note}>{t('cashierDemo')}</p>}
      <Button look="text" className={styles.limits} onClick={() => dispatch(panelTurned('protection'))}>
        {t('limitsOpen')}
      </Button>
    </HeadedDialog>
  )
}
