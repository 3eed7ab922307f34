import { Autocomplete, Button, Group, Modal, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { ProviderTest, ProviderView } from '../../api/client.ts';
import { call, pathTo } from '../../api/operations.ts';
import { formatCost, formatExact, formatMs } from '../../components/format.ts';
import { ActionError } from '../../components/page.tsx';
import { StateTag } from '../../components/tag.tsx';
import classes from './providers.module.css';

/** Longer than the server's deadline of 15 s. */
const TIMEOUT_MS = 25_000;

interface TestDialogProps {
  readonly provider: ProviderView;
  onClose(): void;
}

/** Sends one request to a provider, after it said what it costs. */
export function TestDialog({ provider, onClose }: TestDialogProps) {
  const { name, test, models } = provider;
  const [model, setModel] = useState(test.model ?? '');
  const client = useQueryClient();
  const testing = useMutation({
    mutationFn: () =>
      call('testProvider', {
        params: { name },
        body: model === '' ? {} : { model },
        timeoutMs: TIMEOUT_MS,
      }),
    onSettled: () => client.invalidateQueries({ queryKey: [pathTo('listAudit')] }),
  });

  function send(event: FormEvent) {
    event.preventDefault();
    testing.mutate();
  }

  return (
    <Modal opened onClose={onClose} title={`Test ${name}`} closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={send}>
        <Stack gap="md">
          <p>
            The admin API sends one short text to the provider, with at most 16 tokens of response and a deadline of 15
            seconds. {costNote(model, provider)}
          </p>
          <p className={classes.small}>
            The request does not pass through the gateway: it is not inspected, counts toward no limit and leaves no
            request record. The audit log records it. To test the whole path, send a request from the playground.
          </p>
          <Autocomplete
            label="Model at the provider"
            description={test.model === null ? 'Empty: the cheapest chat model of the provider’s own list.' : undefined}
            data={[...new Set(models.data.map((one) => one.name))]}
            value={model}
            onChange={setModel}
            limit={8}
          />
          <div role="status">{testing.data === undefined ? null : <Result test={testing.data} />}</div>
          <ActionError error={testing.error} title="The test was not sent" />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
            <Button type="submit" loading={testing.isPending}>
              Send test request
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function costNote(model: string, { test, models }: ProviderView): string {
  if (model === '') return 'The provider bills it.';
  const known = models.data.find(({ name }) => name === model);
  const usd = model === test.model ? test.maxCostUsd : (known?.maxTestCostUsd ?? null);
  if (usd === null) return 'The provider bills it. The price of this model is unknown.';
  return usd === 0 ? 'It costs nothing.' : `It costs at most ${formatCost(usd)} by list prices.`;
}

function Result({ test }: { readonly test: ProviderTest }) {
  const { model, result, code, message, durationMs, tokens, costUsd } = test;
  return (
    <div className={classes.result}>
      <StateTag state={result === 'ok' ? 'works' : 'failed'} /> {model}: {message} {formatMs(durationMs)}
      {code === null ? '' : `, code ${code}`}
      {tokens === null ? '' : `, ${formatExact(tokens.input + tokens.output)} tokens, ${formatCost(costUsd)}`}
    </div>
  );
}
