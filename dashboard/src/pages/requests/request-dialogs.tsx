import { Button, Group, Modal, NativeSelect, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { readCapture } from '../../api/captures.ts';
import type { PolicyVersionView, RequestDetail } from '../../api/client.ts';
import { call } from '../../api/operations.ts';
import { useMay } from '../../api/session.tsx';
import classes from '../../components/components.module.css';
import { ACTION_NAMES, THREAT_NAMES } from '../../components/labels.ts';
import { ActionError } from '../../components/page.tsx';
import { ActionTag } from '../../components/tag.tsx';
import { CopyField } from '../../components/text-box.tsx';
import { settingsOf } from '../policy/policy-settings.ts';
import { toCurl } from './to-curl.ts';

interface DialogProps {
  readonly record: RequestDetail;
  onClose(): void;
}

/** A request as a curl command. */
export function CurlDialog({ record, onClose }: DialogProps) {
  const reading = useMutation({ mutationFn: async () => (await readCapture(record.id)) ?? null });
  const hasText = useMay('getCapture') && record.capture === 'full';
  return (
    <Modal opened onClose={onClose} title="Copy as curl" size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="md">
        <p>
          Set <code>SVC_API_KEY</code> to a key first: no key is stored. The command has{' '}
          {reading.data == null ? 'an example text' : 'the captured body'}.
        </p>
        <CopyField label="Command for bash" text={toCurl(record, window.location.origin, reading.data?.request)} />
        {hasText && reading.data == null ? (
          <Group>
            <Button variant="default" loading={reading.isPending} onClick={() => reading.mutate()}>
              Use the captured body
            </Button>
            <span className={classes.hint}>The audit log records the read.</span>
          </Group>
        ) : null}
        {reading.data === null ? <p role="status">The captured text has expired.</p> : null}
        <ActionError error={reading.error} />
      </Stack>
    </Modal>
  );
}

const POLICIES = [
  { value: 'current', label: 'Policies of deployment and key, as now' },
  { value: 'monitor', label: 'Preset monitor alone, without own rules' },
  { value: 'balanced', label: 'Preset balanced alone, without own rules' },
  { value: 'strict', label: 'Preset strict alone, without own rules' },
];

/** Decides one request again, and changes nothing. */
export function DecideDialog({ record, onClose }: DialogProps) {
  const [chosen, setChosen] = useState('current');
  const isByText = record.capture === 'full';
  const deciding = useMutation({
    mutationFn: async () => {
      const isCurrent = chosen === 'current';
      const policy = isCurrent
        ? settingsOf((await call('getPolicy', {})) as PolicyVersionView)
        : { preset: chosen as 'monitor' };
      return call('replayPolicy', {
        body: { policy, as: isCurrent ? 'deployment' : 'key', requestId: record.id, texts: isByText },
        timeoutMs: 30_000,
      });
    },
  });
  const { data } = deciding;
  const replayed =
    data && (Object.entries(data.replayed).find(([, count]) => (count ?? 0) > 0)?.[0] as typeof record.action);
  return (
    <Modal opened onClose={onClose} title="Decide again" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="md">
        <p>
          Decides this request under a policy. Nothing changes.{' '}
          {isByText
            ? 'Its captured text is inspected again, which the audit log records.'
            : 'Without its full text, its recorded findings are decided again.'}
        </p>
        <NativeSelect
          label="Policy"
          data={POLICIES}
          value={chosen}
          onChange={(event) => {
            setChosen(event.currentTarget.value);
            deciding.reset();
          }}
        />
        <div role="status">
          {data === undefined ? null : replayed === undefined ? (
            <p>The request has no findings and no text to inspect: its decision stays {ACTION_NAMES[record.action]}.</p>
          ) : (
            <Group gap="sm">
              <span>It was</span> <ActionTag action={record.action} /> <span>and would be</span>{' '}
              <ActionTag action={replayed} />
            </Group>
          )}
          {data?.types.map(({ type, live, replayed: after, findings }) => (
            <p key={`${type}${live}${after}`} className={classes.hint}>
              {THREAT_NAMES[type]} ×{findings}: {ACTION_NAMES[live]}, then {ACTION_NAMES[after]}
            </p>
          ))}
        </div>
        <ActionError error={deciding.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button loading={deciding.isPending} onClick={() => deciding.mutate()}>
            Decide
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
