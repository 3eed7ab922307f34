import { Alert, Button, Code, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ResponseOf } from '../../../functions/contract/index.ts';
import { call, pathTo } from '../api/operations.ts';
import { reading } from '../api/queries.ts';
import { useMay, useSession } from '../api/session.tsx';
import { ConfirmDialog } from './dialogs.tsx';
import { formatFullTime } from './format.ts';
import { ActionError, Panel } from './page.tsx';

const REFRESH_MS = 15_000;

const MODES = {
  observe: {
    button: 'Observe only',
    now: 'Policies only flag: nothing is blocked, redacted or held for approval',
    does: 'Every action of every policy is reduced to flag. Attacks and secrets pass.',
  },
  refuse: {
    button: 'Refuse all requests',
    now: 'All requests to models are refused',
    does: 'Requests to models get a 503. Running responses go on.',
  },
} as const;
type Mode = keyof typeof MODES;

const MINUTES = [
  ['15', '15 minutes'],
  ['30', '30 minutes'],
  ['60', '1 hour'],
  ['240', '4 hours'],
  ['1440', '24 hours'],
] as const;

/** What everybody may know of the override and of the roll-out. An administrator may lack the permission to read analytics. */
function useStatus(): Pick<ResponseOf<'getStatus'>, 'override' | 'rollout'> | undefined {
  const reads = useMay('getStatus');
  const isAdmin = useMay('getOverride');
  const status = useQuery({ ...reading('getStatus', {}), enabled: reads, refetchInterval: REFRESH_MS });
  const { data } = useQuery({
    ...reading('getOverride', {}),
    ...{ enabled: isAdmin && !reads, refetchInterval: REFRESH_MS },
  });
  return status.data ?? (data && { override: data, rollout: null });
}

/** Sets the override, or ends it. */
function useSetting(onDone: () => void = () => {}) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { readonly mode: 'none' } | { readonly mode: Mode; readonly until: string }) =>
      call('putOverride', { body }),
    onSuccess: async () => {
      for (const id of ['getStatus', 'getOverride'] as const)
        await queries.invalidateQueries({ queryKey: [pathTo(id)] });
      onDone();
    },
  });
}

/** On every page in a demo, while an emergency override is in force, or while a roll-out of the policy runs. */
export function StatusBanner() {
  const { session } = useSession();
  return (
    <>
      {session?.demo === true ? (
        <Alert color="blue" title="Demo" mb="md">
          Teams, keys and the first day of traffic are invented. Stop the service and run <Code>svc demo clear</Code> to
          delete them.
        </Alert>
      ) : null}
      <InForce />
    </>
  );
}

function InForce() {
  const status = useStatus();
  if (status === undefined) return null;
  const { override, rollout } = status;
  return (
    <>
      {override.mode === 'none' ? null : <OverrideAlert mode={override.mode} until={override.until} />}
      {rollout === null ? null : (
        <Alert color="blue" title={`Policy roll-out: to ${rollout.percent} % of the sessions`} mb="md">
          Since {formatFullTime(rollout.since)}. The policy in force decides on all others.
        </Alert>
      )}
    </>
  );
}

function OverrideAlert({ mode, until }: { readonly mode: Mode; readonly until: string | null }) {
  const isAdmin = useMay('putOverride');
  const ending = useSetting();
  return (
    <Alert color="red" role="alert" title={`Override: ${MODES[mode].now}`} mb="md">
      <Group gap="sm">
        <Text size="sm">It ends by itself: {formatFullTime(until)}.</Text>
        {isAdmin ? (
          <Button
            size="compact-sm"
            color="red"
            loading={ending.isPending}
            onClick={() => ending.mutate({ mode: 'none' })}
          >
            End override
          </Button>
        ) : null}
      </Group>
      <ActionError error={ending.error} />
    </Alert>
  );
}

/** The buttons that set an emergency override. */
export function OverridePanel() {
  const [mode, setMode] = useState<Mode>();
  return (
    <Panel title="Emergency" note="Takes effect in every process within 10 seconds, and ends by itself.">
      <Group gap="sm">
        {(Object.keys(MODES) as Mode[]).map((one) => (
          <Button key={one} variant="default" onClick={() => setMode(one)}>
            {MODES[one].button}
          </Button>
        ))}
      </Group>
      {mode === undefined ? null : <OverrideDialog mode={mode} onClose={() => setMode(undefined)} />}
    </Panel>
  );
}

function OverrideDialog({ mode, onClose }: { readonly mode: Mode; onClose(): void }) {
  const [minutes, setMinutes] = useState('30');
  const setting = useSetting(onClose);
  return (
    <ConfirmDialog
      title={`${MODES[mode].button}?`}
      confirm={MODES[mode].button}
      danger
      isPending={setting.isPending}
      error={setting.error}
      onConfirm={() => setting.mutate({ mode, until: new Date(Date.now() + Number(minutes) * 60_000).toISOString() })}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text>{MODES[mode].does}</Text>
        <NativeSelect
          label="For"
          data={MINUTES.map(([value, label]) => ({ value, label }))}
          value={minutes}
          onChange={(event) => setMinutes(event.currentTarget.value)}
        />
      </Stack>
    </ConfirmDialog>
  );
}
