import { Alert, Button, Checkbox, Group, Modal, Radio, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { type Capture, readCapture, textOf } from '../../api/captures.ts';
import type { PolicyVersionView, Threat } from '../../api/client.ts';
import { call, callWithHeaders } from '../../api/operations.ts';
import classes from '../../components/components.module.css';
import { ActionError } from '../../components/page.tsx';
import { Placeholder } from '../../components/placeholder.tsx';
import { type Exception, exceptionFor, MAX_LITERAL, sentenceAround, withException } from './exception.ts';

interface ExceptionDialogProps {
  readonly threat: Threat;
  readonly keyName: string;
  onClose(): void;
}

/** Adds an exception for a false alarm to a policy: for one text under one key, unless the user widens it. */
export function ExceptionDialog({ threat, keyName, onClose }: ExceptionDialogProps) {
  const capture = useQuery({
    queryKey: ['capture', threat.requestId],
    queryFn: async ({ signal }) => (await readCapture(threat.requestId, signal)) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return (
    <Modal opened onClose={onClose} title="Add an exception" size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      {capture.isPending ? (
        <Placeholder label="Loading the text" lines={4} />
      ) : (
        <ExceptionForm threat={threat} keyName={keyName} capture={capture.data ?? undefined} onClose={onClose} />
      )}
    </Modal>
  );
}

interface ExceptionFormProps extends ExceptionDialogProps {
  readonly capture: Capture | undefined;
}

function ExceptionForm({ threat, keyName, capture, onClose }: ExceptionFormProps) {
  // The offsets do not apply to a redacted text.
  const text = capture?.mode === 'full' ? textOf(capture, threat) : undefined;
  const [scope, setScope] = useState('key');
  const isSensitive = threat.type === 'secret' || threat.type === 'pii';
  const [literal, setLiteral] = useState(() =>
    text === undefined || isSensitive ? '' : sentenceAround(text, threat.location),
  );
  const [isWholeRule, setWholeRule] = useState(false);
  const exception = exceptionFor(threat, isWholeRule ? undefined : literal);
  const saving = useMutation({ mutationFn: () => (scope === 'key' ? addToKey : addToAll)(threat, exception) });
  if (saving.isSuccess) {
    const page = scope === 'key' ? `/keys/${encodeURIComponent(threat.keyId)}` : '/policy';
    return (
      <Stack gap="md">
        <p role="status">
          The exception is saved. It applies to later requests within seconds. To remove it, edit <code>allow</code> in{' '}
          <Link href={page}>{scope === 'key' ? 'the policy of the key' : "the deployment's policy"}</Link>.
        </p>
        <Group justify="flex-end">
          <Button onClick={onClose}>Close</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <Stack gap="md">
      <p>
        Later findings of the rule <code>{threat.rule}</code> within this text are dropped. All other findings stay.
      </p>
      <TextInput
        label="Text"
        description={
          text === undefined
            ? unknownText(capture)
            : isSensitive
              ? 'Enter the part that is no secret, such as the name before it.'
              : 'The sentence of the finding. A longer text is a narrower exception.'
        }
        value={literal}
        maxLength={MAX_LITERAL}
        disabled={isWholeRule}
        onChange={(event) => setLiteral(event.currentTarget.value)}
      />
      {isSensitive && !isWholeRule ? (
        <Alert color="yellow" title="The text is stored in clear">
          The policy, its versions, exports and the audit log contain it, some for years. Do not enter a real secret or
          personal data.
        </Alert>
      ) : null}
      <Radio.Group label="For" value={scope} onChange={setScope}>
        <Stack gap="xs" mt="xs">
          <Radio value="key" label={`The key “${keyName}” only`} />
          <Radio value="deployment" label="All keys" />
        </Stack>
      </Radio.Group>
      <Checkbox
        label="Switch off the whole rule instead"
        checked={isWholeRule}
        onChange={(event) => setWholeRule(event.currentTarget.checked)}
      />
      {isWholeRule ? (
        <Alert color="red" title="Attacks that only this rule finds will pass">
          Every finding of <code>{threat.rule}</code> is dropped, in any text.
        </Alert>
      ) : null}
      <pre className={classes.copyText}>{JSON.stringify(exception, null, 2)}</pre>
      <ActionError error={saving.error} />
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          color={isWholeRule ? 'red' : 'blue'}
          disabled={!isWholeRule && literal.trim() === ''}
          loading={saving.isPending}
          onClick={() => saving.mutate()}
        >
          {isWholeRule ? 'Switch off the rule' : 'Add the exception'}
        </Button>
      </Group>
    </Stack>
  );
}

/** Why the dialog does not know the text of a finding. */
function unknownText(capture: Capture | undefined): string {
  if (capture === undefined) return 'The text was not captured, or has expired. Enter it.';
  return capture.mode === 'redacted'
    ? 'The text was captured without secrets, so the position of the finding in it is unknown. Enter the text.'
    : 'The captured text was cut before the finding. Enter it.';
}

/** A key's `allow` replaces the deployment's, so the key gets both. */
async function addToKey({ keyId }: Threat, exception: Exception): Promise<void> {
  const params = { id: keyId };
  const { policy } = await call('getKey', { params });
  const allow = policy.allow ?? ((await call('getPolicy', {})) as PolicyVersionView).allow;
  await call('updateKey', { params, body: { policy: withException({ ...policy, allow }, exception) } });
}

async function addToAll(_: Threat, exception: Exception): Promise<void> {
  const { data, headers } = await callWithHeaders('getPolicy', {});
  const { object: _object, version, createdAt: _at, createdBy: _by, ...settings } = data as PolicyVersionView;
  await call('putPolicy', {
    body: withException(settings, exception),
    headers: { 'If-Match': headers.get('etag') ?? `"${version}"` },
  });
}
