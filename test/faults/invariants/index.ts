import { neverTooManyAtOnce, noMoneyInvented, noRequestInvented, noRequestLost, placesComeBack } from './allowances.ts';
import { sessionsAddUp, totalsAddUp } from './analytics.ts';
import { endings } from './endings.ts';
import type { Invariant } from './invariant.ts';
import { noRecordInvented, oneRecordEach, recordsTrue } from './records.ts';
import { logsAreWhole, nothingToldOfSecrets } from './secrets.ts';
import { nothingHeld, spentIsUsed, tokensAreUsed } from './settlement.ts';
import { everyWebhookDelivered, oneDeliveryEach, webhooksTrue } from './webhooks.ts';

/** Everything that has to hold after a soak. */
export const INVARIANTS: readonly Invariant[] = [
  endings,
  oneRecordEach,
  noRecordInvented,
  recordsTrue,
  spentIsUsed,
  tokensAreUsed,
  nothingHeld,
  noRequestInvented,
  noRequestLost,
  noMoneyInvented,
  neverTooManyAtOnce,
  placesComeBack,
  totalsAddUp,
  sessionsAddUp,
  everyWebhookDelivered,
  webhooksTrue,
  oneDeliveryEach,
  nothingToldOfSecrets,
  logsAreWhole,
];
