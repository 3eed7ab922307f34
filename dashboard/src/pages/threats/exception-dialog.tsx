import { Button, Checkbox, Group, Modal, Radio, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readCapture, textOf } from '../../api/captures.ts';
import { call, callWithHeaders, type KeyView, type PolicyVersionView, type Threat } from '../../api/client.ts';
import classes from '../../components/components.module.css';
import { ActionError } from '../../components/page.tsx';
import { Placeholder } from '../../components/placeholder.tsx';
import { type Exception, exceptionFor, withException } from './exception.ts';

const POLICY_PATH = '/v1/admin/policy';

interface ExceptionDialogProps {
  readonly threat: Threat;
  readonly keyName: string;
  onClose(): void;
}

/** Adds an exception for a false alarm to a policy: as narrow as possible, unless the user widens it. */
export function ExceptionDialog({ threat, keyName, onClose }: ExceptionDialogProps) {
  const [scope, setScope] = useState('key');
  const [isWholeRule, setWholeRule] = useState(false);
  const capture = useQuery({
    queryKey: ['capture', threat.requestId],
    queryFn: async ({ signal }) => (await readCapture(threat.requestId, signal)) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  // The offsets do not apply to a redacted text.
  const text = capture.data?.mode === 'full' ? textOf(capture.data, threat) : undefined;
  const narrow = exceptionFor(threat, text);
  const exception = isWholeRule ? exceptionFor(threat, undefined) : narrow;
  const saving = useMutation({ mutationFn: () => (scope === 'key' ? addToKey : addToAll)(threat, exception) });
  return (
    <Modal opened onClose={onClose} title="Add an exception" size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      {capture.isPending ? (
        <Placeholder label="Loading the text" lines={4} />
      ) : saving.isSuccess ? (
        <Stack gap="md">
          <p role="status">The exception is saved. It applies to later requests within seconds.</p>
          <Group justify="flex-end">
            <Button onClick={onClose}>Close</Button>
          </Group>
        </Stack>
      ) : (
        <Stack gap="md">
          <p>Later findings like this one are dropped. All other rules still apply.</p>
          <Radio.Group label="For" value={scope} onChange={setScope}>
            <Stack gap="xs" mt="xs">
              <Radio value="key" label={`The key “${keyName}” only`} />
              <Radio value="deployment" label="All keys" />
            </Stack>
          </Radio.Group>
          {narrow.literal === undefined ? (
            <p className={classes.hint}>
              The text of this finding is not stored or is too long, so the exception covers the whole rule.
            </p>
          ) : (
            <Checkbox
              label="Whatever the text"
              description="Drops every finding of this rule, not only those in this exact text."
              checked={isWholeRule}
              onChange={(event) => setWholeRule(event.currentTarget.checked)}
            />
          )}
          <pre className={classes.copyText}>{JSON.stringify(exception, null, 2)}</pre>
          <ActionError error={saving.error} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button loading={saving.isPending} onClick={() => saving.mutate()}>
              Add the exception
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

/** A key's `allow` replaces the deployment's, so the key gets both. */
async function addToKey({ keyId }: Threat, exception: Exception): Promise<void> {
  const path = `/v1/admin/keys/${encodeURIComponent(keyId)}`;
  const { policy } = await call<KeyView>('GET', path);
  const allow = policy.allow ?? (await call<PolicyVersionView>('GET', POLICY_PATH)).allow;
  await call<KeyView>('PATCH', path, { body: { policy: withException({ ...policy, allow }, exception) } });
}

async function addToAll(_: Threat, exception: Exception): Promise<void> {
  const { data, headers } = await callWithHeaders<PolicyVersionView>('GET', POLICY_PATH);
  const { object: _object, version, createdAt: _at, createdBy: _by, ...settings } = data;
  await call('PUT', POLICY_PATH, {
    body: withException(settings, exception),
    headers: { 'If-Match': headers.get('etag') ?? `"${version}"` },
  });
}
