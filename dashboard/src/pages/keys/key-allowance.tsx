import { Progress } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import type { KeyUsage } from '../../api/types.ts';
import { formatAgo, formatExact, formatUsd } from '../../parts/format.ts';
import { Panel } from '../../parts/page.tsx';
import { ErrorState, Loading } from '../../parts/states.tsx';
import classes from './key-allowance.module.css';
import { KEYS_PATH } from './key-dialogs.tsx';

const REFRESH_MS = 5_000;

/** What the key's limits would admit now. */
export function KeyAllowance({ id }: { readonly id: string }) {
  const path = `${KEYS_PATH}/${encodeURIComponent(id)}/usage`;
  const usage = useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => call<KeyUsage>('GET', path, { signal }),
    refetchInterval: REFRESH_MS,
  });
  const { data } = usage;
  return (
    <Panel title="Remaining allowance" note="What would be admitted now; running requests are taken off">
      {data === undefined ? (
        usage.error === null ? (
          <Loading label="Loading limits" />
        ) : (
          <ErrorState error={usage.error} retry={() => void usage.refetch()} />
        )
      ) : (
        <div className={classes.bars}>
          {toBars(data).map((bar) => (
            <div key={bar.name}>
              <div className={classes.head}>
                <span>{bar.name}</span>
                <span>
                  {bar.remaining} of {bar.limit}
                </span>
              </div>
              <Progress value={bar.percent} aria-label={`${bar.name}: ${bar.remaining} of ${bar.limit} left`} />
              <p className={classes.note}>{bar.note}</p>
            </div>
          ))}
        </div>
      )}
    </Panel>
  );
}

interface Bar {
  readonly name: string;
  readonly remaining: string;
  readonly limit: string;
  readonly percent: number;
  readonly note: string;
}

function toBars({ requests, tokens, budget, concurrent }: KeyUsage): Bar[] {
  const nowMs = Date.now();
  const counted = (name: string, { limit, remaining, fullAt }: KeyUsage['requests']): Bar => ({
    name,
    remaining: formatExact(remaining),
    limit: formatExact(limit),
    percent: (remaining / limit) * 100,
    note: remaining >= limit ? 'Full' : `Full again ${formatAgo(fullAt, nowMs)}`,
  });
  return [
    counted('Requests', requests),
    ...(tokens === null ? [] : [counted('Tokens', tokens)]),
    ...(budget === null
      ? []
      : [
          {
            name: 'Budget',
            remaining: formatUsd(budget.remainingUsd),
            limit: formatUsd(budget.usd),
            percent: (budget.remainingUsd / budget.usd) * 100,
            note: `Whole again ${formatAgo(budget.resetAt, nowMs)}`,
          },
        ]),
    ...(concurrent === null
      ? []
      : [
          {
            name: 'At the same time',
            remaining: formatExact(concurrent.remaining),
            limit: formatExact(concurrent.limit),
            percent: (concurrent.remaining / concurrent.limit) * 100,
            note: 'Requests that may run besides those that do',
          },
        ]),
  ];
}
