import { type Asked, type Ledger, metKill, metStandstill, metStop, metStores } from '../ledger.ts';
import { type Ending, PROVIDER_FAULTS } from '../provider-faults.ts';
import type { Invariant } from './invariant.ts';

/** Each caller's result is the one in the table of faults, or that of a stated disturbance. */
export const endings: Invariant = {
  name: 'every caller saw the expected result of the fault, and complete responses to the character',
  least: 100,
  check: (ledger) => {
    const wrong = ledger.asked.flatMap((asked) => {
      const why = faultIn(asked, ledger);
      return why === undefined ? [] : [`case ${asked.id} (${asked.kind}, ${asked.fault}): ${why}`];
    });
    const excused = ledger.asked.filter((asked) => isExcused(asked, ledger)).length;
    return { checked: ledger.asked.length, excused, violations: wrong };
  },
};

function faultIn(asked: Asked, ledger: Ledger): string | undefined {
  if (asked.ending === 'whole' && asked.kind !== 'ended' && asked.text !== asked.expected)
    return 'another text than the provider sent';
  if (isAsPlanned(asked) || isLimited(asked, ledger) || isExcused(asked, ledger)) return undefined;
  return `${asked.ending} with ${asked.status} ${asked.code ?? ''}`;
}

/** How a request of this kind has to end that meets this fault of its provider alone. */
export function plannedEnding({
  kind,
  fault,
  stream,
}: Pick<Asked, 'kind' | 'fault' | 'stream'>): Ending & { state: string } {
  if (kind === 'blocked') return { status: 400, code: 'content_filter', state: 'blocked' as never };
  return PROVIDER_FAULTS[fault][stream ? 'streamed' : 'whole'];
}

function isAsPlanned(asked: Asked): boolean {
  const { kind, ending, status, code, route } = asked;
  if (kind === 'cancelled') return ending === 'left';
  if (kind === 'ended' && code === 'request_cancelled') return true;
  // A provider whose circuit is open is not asked, whatever it would have done.
  if (route?.includes(';open') && status === 502 && code === 'provider_error') return true;
  const planned = plannedEnding(asked);
  const isWhole = planned.code === undefined;
  return status === planned.status && code === planned.code && ending === (isWhole ? 'whole' : 'error');
}

function isLimited({ keyId, status, code }: Asked, { keys }: Ledger): boolean {
  const purpose = keys.find(({ id }) => id === keyId)?.purpose;
  if (status !== 429) return false;
  if (purpose === 'poor') return code === 'insufficient_quota';
  return (purpose === 'limited' || purpose === 'narrow' || purpose === 'busy') && code === 'rate_limit_exceeded';
}

function isExcused(asked: Asked, { disturbances }: Ledger): boolean {
  const { ending, status, code, requestId } = asked;
  if (ending === 'broken')
    return metKill(asked, disturbances) || (requestId === undefined && metStop(asked, disturbances));
  // A request that outlasts a stop's grace period gets this code.
  if (code === 'request_cancelled') return metStop(asked, disturbances);
  // During a standstill of the machine a provider's deadline expires.
  if (code === 'provider_timeout') return metStandstill(asked, disturbances);
  return status === 503 && code === 'unavailable' && metStores(asked, disturbances);
}
