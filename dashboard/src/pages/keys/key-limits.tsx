import { Modal, Progress, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ResponseOf } from '../../../../functions/contract/index.ts';
import type { KeyList, KeyUsage, KeyView } from '../../api/client.ts';
import { type Reading, reading } from '../../api/queries.ts';
import { formatAgo, formatAmount, formatExact, formatShare, formatUsd, NOTHING } from '../../components/format.ts';
import { ErrorState, Panel } from '../../components/page.tsx';
import { Placeholder } from '../../components/placeholder.tsx';
import { forecastOf } from './budget-forecast.ts';
import classes from './keys.module.css';

const REFRESH_MS = 5_000;
/** From these used percentages on, a bar warns. */
const WARNS_FROM = 75;
const ALARMS_FROM = 90;

const NOTE = 'What is used now, running requests included';

/** Used requests, tokens, budget and concurrent requests of the key. */
export function LimitsPanel({ apiKey: { id, createdAt } }: { readonly apiKey: KeyView }) {
  return (
    <Panel title="Limits" note={NOTE}>
      <UsedLimits read={reading('getKeyUsage', { params: { id } })} createdAt={createdAt} />
    </Panel>
  );
}

interface LimitsDialogProps extends UsedLimitsProps {
  readonly name: string;
  onClose(): void;
}

/** The same of a team or an identity. */
export function LimitsDialog({ name, onClose, ...limits }: LimitsDialogProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Limits of “${name}”`}
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack>
        <p>{NOTE}.</p>
        <UsedLimits {...limits} />
      </Stack>
    </Modal>
  );
}

type Usage = Omit<ResponseOf<'getTeamUsage'>, 'object' | 'teamId'>;

/** The limit of which most is used, as a bar; all of them in its title. */
export function UsedMost({ limits, createdAt }: Pick<KeyList['data'][number], 'limits' | 'createdAt'>) {
  if (limits == null) return NOTHING;
  const bars = toBars({ ...limits, at: new Date().toISOString() }, createdAt);
  const most = bars.reduce((a, b) => (b.percent > a.percent ? b : a));
  const title = bars.map(({ name, used, limit }) => `${name}: ${used} of ${limit}`).join('\n');
  return (
    <span className={classes.most} title={title}>
      <Progress
        value={most.percent}
        color={colorOf(most.percent)}
        aria-label={`${most.name}: ${most.used} of ${most.limit} used`}
      />
      <span className={classes.mostText}>
        {Math.round(most.percent)}% {most.name.split(' ')[0]?.toLowerCase()}
      </span>
    </span>
  );
}

function colorOf(percent: number): string {
  return percent >= ALARMS_FROM ? 'var(--block)' : percent >= WARNS_FROM ? 'var(--flag)' : 'var(--series-2)';
}

interface UsedLimitsProps {
  readonly read: Reading<Usage>;
  /** Of the key, team or identity. */
  readonly createdAt: string;
}

function UsedLimits({ read, createdAt }: UsedLimitsProps) {
  const { data, error, refetch } = useQuery({ ...read, refetchInterval: REFRESH_MS });
  if (data !== undefined) {
    const bars = toBars(data, createdAt);
    return (
      <div className={classes.bars}>
        {bars.length === 0 ? <p>No limits.</p> : null}
        {bars.map((bar) => (
          <UsedBar key={bar.name} bar={bar} />
        ))}
      </div>
    );
  }
  return error === null ? (
    <Placeholder label="Loading limits" lines={3} />
  ) : (
    <ErrorState error={error} retry={() => void refetch()} />
  );
}

interface Bar {
  readonly name: string;
  readonly used: string;
  readonly limit: string;
  /** 0 to 100. */
  readonly percent: number;
  readonly note: string;
  /** The note is a warning. */
  readonly isWarning?: boolean;
}

function UsedBar({ bar: { name, used, limit, percent, note, isWarning = false } }: { readonly bar: Bar }) {
  return (
    <div>
      <div className={classes.head}>
        <span>{name}</span>
        <span>
          {used} of {limit} used
        </span>
      </div>
      <Progress value={percent} color={colorOf(percent)} aria-label={`${name}: ${used} of ${limit} used`} />
      <p className={classes.note} data-warning={isWarning || undefined}>
        {note}
      </p>
    </div>
  );
}

function toBars({ requests, tokens, budget, concurrent, at }: Usage, createdAt: string): Bar[] {
  const nowMs = Date.parse(at);
  return [
    ...(requests === null ? [] : [refilled('Requests', requests, nowMs)]),
    ...(tokens === null ? [] : [refilled('Tokens', tokens, nowMs)]),
    ...(budget === null ? [] : [budgetBar(budget, nowMs, createdAt)]),
    ...(concurrent === null ? [] : [concurrentBar(concurrent)]),
  ];
}

/** A limit that refills continuously. */
function refilled(name: string, { limit, remaining, fullAt }: KeyUsage['requests'], nowMs: number): Bar {
  const used = Math.max(0, limit - remaining);
  return {
    name,
    used: formatExact(used),
    limit: formatExact(limit),
    percent: (used / limit) * 100,
    note: used === 0 ? 'Nothing used' : `Refills continuously, unused again ${formatAgo(fullAt, nowMs)}`,
  };
}

function budgetBar(budget: NonNullable<KeyUsage['budget']>, nowMs: number, createdAt: string): Bar {
  const used = Math.max(0, budget.usd - budget.remainingUsd);
  const { text, isOver } = forecastOf(budget, nowMs, createdAt);
  return {
    name: 'Budget',
    used: formatUsd(used),
    limit: formatAmount(budget.usd),
    percent: (used / budget.usd) * 100,
    note: `${formatShare(used, budget.usd)}, resets ${formatAgo(budget.resetAt, nowMs)} · ${text}`,
    isWarning: isOver,
  };
}

function concurrentBar({ limit, remaining }: NonNullable<KeyUsage['concurrent']>): Bar {
  const used = Math.max(0, limit - remaining);
  return {
    name: 'Concurrent requests',
    used: formatExact(used),
    limit: formatExact(limit),
    percent: (used / limit) * 100,
    note: 'Requests that run now',
  };
}
