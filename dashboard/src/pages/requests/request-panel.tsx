import { ActionIcon, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { RequestDetail } from '../../api/client.ts';
import { reading, useKeyNames } from '../../api/queries.ts';
import { useFromList } from '../../components/data-table.tsx';
import { formatExact, formatFullTime, formatMs, formatRequestCost, NOTHING } from '../../components/format.ts';
import { Icon } from '../../components/icons.tsx';
import { outcomeOf } from '../../components/outcome.ts';
import { ErrorState, Facts } from '../../components/page.tsx';
import { Placeholder } from '../../components/placeholder.tsx';
import { OutcomeMark } from '../../components/tag.tsx';
import { FindingList } from '../threats/finding-parts.tsx';
import { whyOf } from './request-columns.tsx';
import { countOf } from './request-cost.tsx';
import { RequestTimeline } from './request-timeline.tsx';
import classes from './requests.module.css';

interface RequestPanelProps {
  readonly id: string;
  /** Opens the next older or newer one; undefined at the end of the list. */
  readonly onOlder: (() => void) | undefined;
  readonly onNewer: (() => void) | undefined;
  onClose(): void;
}

/** A request beside its list. */
export function RequestPanel({ id, onOlder, onNewer, onClose }: RequestPanelProps) {
  const record = useQuery(reading('getRequest', { params: { id } }));
  const state = useFromList();
  return (
    <aside className={classes.side} aria-label="Request">
      <header className={classes.sideHead}>
        <Link href={`/requests/${id}`} state={state} asChild>
          <Button component="a" variant="default" size="compact-sm">
            Open in full
          </Button>
        </Link>
        <span className={classes.sideKeys}>
          <Step label="Newer" hotkey="k" icon="ascending" onStep={onNewer} />
          <Step label="Older" hotkey="j" icon="descending" onStep={onOlder} />
          <ActionIcon variant="subtle" color="gray" aria-label="Close" title="Close (Esc)" onClick={onClose}>
            <Icon name="close" size={16} />
          </ActionIcon>
        </span>
      </header>
      {record.data !== undefined ? (
        <Content record={record.data} />
      ) : record.error === null ? (
        <Placeholder label="Loading the request" lines={8} />
      ) : (
        <ErrorState error={record.error} retry={() => void record.refetch()} />
      )}
    </aside>
  );
}

interface StepProps {
  readonly label: string;
  readonly hotkey: string;
  readonly icon: 'ascending' | 'descending';
  readonly onStep: (() => void) | undefined;
}

function Step({ label, hotkey, icon, onStep }: StepProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      title={`${label} (${hotkey})`}
      disabled={onStep === undefined}
      onClick={onStep}
    >
      <Icon name={icon} size={16} />
    </ActionIcon>
  );
}

function Content({ record }: { readonly record: RequestDetail }) {
  const { keyId, provider, model, tokens, sessionId, endUserId, findings } = record;
  const name = useKeyNames([keyId]).get(keyId) ?? keyId;
  return (
    <>
      <div className={classes.sideTitle}>
        <OutcomeMark outcome={outcomeOf(record)}>{whyOf(record)}</OutcomeMark>
      </div>
      <Facts
        isNarrow
        facts={[
          ['Time', formatFullTime(record.time)],
          ['Key', name],
          ['Model', model === null ? NOTHING : `${provider ?? ''}/${model}`],
          ['Status', `${record.status ?? 'none'}${record.errorCode === null ? '' : `, ${record.errorCode}`}`],
          ['Latency', `${formatMs(record.latencyMs)}, ${formatMs(record.processingMs)} in the gateway`],
          ['First token', record.stream ? formatMs(record.timeToFirstTokenMs) : 'Not streamed'],
          [
            'Tokens',
            tokens.input === null && tokens.output === null
              ? NOTHING
              : `${countOf(tokens.input)} in, ${countOf(tokens.output)} out`,
          ],
          ['Cost', formatRequestCost(record)],
          ['Session', sessionId ?? NOTHING],
          ['End user', endUserId ?? NOTHING],
        ]}
      />
      {findings.length === 0 ? null : (
        <section>
          <h2>{findings.length === 1 ? '1 finding' : `${formatExact(findings.length)} findings`}</h2>
          <FindingList findings={findings} />
        </section>
      )}
      {record.stages === undefined ? null : (
        <section>
          <h2>Stages</h2>
          <RequestTimeline record={record} />
        </section>
      )}
    </>
  );
}
