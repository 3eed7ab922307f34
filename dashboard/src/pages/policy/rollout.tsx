import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BodyOf, ResponseOf } from '../../../../functions/contract/index.ts';
import { call, type FormField, OPERATIONS, pathTo } from '../../api/operations.ts';
import { reading } from '../../api/queries.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { ConfirmDialog } from '../../components/dialogs.tsx';
import { toBody, toForm } from '../../components/field-form.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { formatExact, formatFullTime } from '../../components/format.ts';
import { Empty, Panel } from '../../components/page.tsx';
import type { Settings } from './policy-settings.ts';

const REFRESH_MS = 10_000;
/** A careful start. */
const SUGGESTED = { percent: 10, watch: { blockedPoints: 2, minRequests: 200, minutes: 60 } };
const FIELDS = (OPERATIONS.putPolicy.body.find(({ name }) => name === 'rollout') as FormField).fields ?? [];

export type RolloutBody = NonNullable<BodyOf<'putPolicy'>['rollout']>;
type Status = ResponseOf<'getRollout'>;
type Counts = NonNullable<Status['total']>;

interface RolloutDialogProps {
  readonly settings: Settings;
  /** Saves the edited policy as the candidate. */
  onSave(body: Settings): Promise<void>;
  onClose(): void;
}

/** Rolls the edited policy out to a part of the requests. */
export function RolloutDialog({ settings, onSave, onClose }: RolloutDialogProps) {
  const saving = useMutation({
    mutationFn: (rollout: RolloutBody) => onSave({ ...settings, rollout }),
    onSuccess: onClose,
  });
  return (
    <FormDialog
      title="Roll out the edited policy"
      submit="Roll out"
      intro={
        <Text size="sm">
          The edited policy decides on the requests that the roll-out takes, the policy in force on all others. It is
          withdrawn by itself if it blocks too much more than the policy in force would have.
        </Text>
      }
      fields={FIELDS}
      begin={toForm(FIELDS, SUGGESTED)}
      saving={saving}
      toBody={(form) => toBody<RolloutBody>(FIELDS, form)}
      onClose={onClose}
    />
  );
}

type Row = Counts & { readonly of: string };
const COLUMNS: readonly Column<Row>[] = [
  { header: 'Requests', widthPx: 150, grows: 1, cell: ({ of }) => of },
  { header: 'Count', widthPx: 90, cell: ({ requests }) => formatExact(requests) },
  { header: 'Blocked', widthPx: 90, cell: ({ blocked }) => formatExact(blocked) },
  { header: 'Blocked before', widthPx: 140, cell: ({ blockedBefore }) => formatExact(blockedBefore) },
  { header: 'Rise, points', widthPx: 110, cell: ({ risePoints }) => risePoints },
  { header: 'Flagged', widthPx: 90, isWideOnly: true, cell: ({ flagged }) => formatExact(flagged) },
  {
    header: 'Flagged before',
    widthPx: 140,
    isWideOnly: true,
    cell: ({ flaggedBefore }) => formatExact(flaggedBefore),
  },
];
const LIST = {
  isLoading: false,
  isLoadingMore: false,
  hasMore: false,
  error: null,
  searchedTo: null,
  sampled: null,
  emptyPages: 0,
  loadMore() {},
  retry() {},
  refresh() {},
};

/** The roll-out that runs, with both policies on the same requests; nothing without one. */
export function RolloutPanel({ onEnded }: { onEnded(): Promise<void> }) {
  const { data } = useQuery({ ...reading('getRollout', {}), refetchInterval: REFRESH_MS });
  const [ending, setEnding] = useState<'promote' | 'withdraw'>();
  if (data?.rollout == null || data.total === null || data.watched === null) return null;
  const { rollout, version } = data;
  const { blockedPoints, minRequests, minutes } = rollout.watch;
  const rows: readonly Row[] = [
    { of: 'In all', ...data.total },
    { of: `Last ${minutes} minutes`, ...data.watched },
  ];
  return (
    <Panel
      title={`Roll-out to ${rollout.percent} % of the sessions`}
      note={`Since ${formatFullTime(data.since)}. Withdrawn beyond a rise of ${blockedPoints} points, of at least ${formatExact(minRequests)} requests in ${minutes} minutes. “Before”: by the policy in force, on the same requests.`}
    >
      <Stack gap="md">
        <DataTable
          label="Roll-out"
          list={{ ...LIST, rows }}
          columns={COLUMNS}
          keyOf={({ of }) => of}
          empty={<Empty title="No requests yet" />}
        />
        <Group gap="sm">
          <Button onClick={() => setEnding('promote')}>Promote</Button>
          <Button variant="default" onClick={() => setEnding('withdraw')}>
            Withdraw
          </Button>
        </Group>
      </Stack>
      {ending === undefined ? null : (
        <EndDialog what={ending} version={version} onEnded={onEnded} onClose={() => setEnding(undefined)} />
      )}
    </Panel>
  );
}

interface EndDialogProps {
  readonly what: 'promote' | 'withdraw';
  readonly version: number;
  onEnded(): Promise<void>;
  onClose(): void;
}

function EndDialog({ what, version, onEnded, onClose }: EndDialogProps) {
  const queries = useQueryClient();
  const ending = useMutation({
    mutationFn: () => call(what === 'promote' ? 'promotePolicy' : 'withdrawPolicy', { body: { version } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [pathTo('getRollout')] });
      await onEnded();
      onClose();
    },
  });
  const isPromoted = what === 'promote';
  return (
    <ConfirmDialog
      title={isPromoted ? 'Promote the candidate?' : 'Withdraw the roll-out?'}
      confirm={isPromoted ? 'Promote' : 'Withdraw'}
      isPending={ending.isPending}
      error={ending.error}
      onConfirm={() => ending.mutate()}
      onClose={onClose}
    >
      <Text>
        {isPromoted
          ? 'Within 10 seconds the candidate decides on all requests.'
          : 'Within 10 seconds the policy in force decides on all requests.'}
      </Text>
    </ConfirmDialog>
  );
}
