import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { CreatedKey } from '../api/client.ts';
import { call } from '../api/operations.ts';
import { formatTime } from '../components/format.ts';
import { Page, Panel } from '../components/page.tsx';
import { DecisionTag } from '../components/tag.tsx';
import { FirstCalls } from './keys/first-calls.tsx';
import { CreateKeyDialog } from './keys/key-dialogs.tsx';

const LOOK_EVERY_MS = 3_000;

/** Steps to a first inspected request. */
export default function StartPage() {
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedKey>();
  return (
    <Page docs="clients.md" title="First request" intro="Three steps to an inspected request.">
      <Panel title="1. Create a key for your application">
        <p>Its secret is shown once. You can change permissions, limits and policy later.</p>
        <Button mt="sm" onClick={() => setCreating(true)}>
          New key
        </Button>
      </Panel>
      <Panel
        title="2. Call the gateway with the key"
        note="The model echo repeats your message. Use another model once its provider is set up"
      >
        <FirstCalls secret={created?.key} />
      </Panel>
      <Panel title="3. See the request here">
        <FirstRequest keyId={created?.id} />
      </Panel>
      {isCreating ? <CreateKeyDialog onCreated={setCreated} onClose={() => setCreating(false)} /> : null}
    </Page>
  );
}

/** Shows the decision on the latest request of a key, or on the latest that arrived while the page is open. */
function FirstRequest({ keyId }: { readonly keyId: string | undefined }) {
  const [before, setBefore] = useState<string | null>();
  const latest = useQuery({
    queryKey: ['first-request', keyId],
    queryFn: async ({ signal }) => {
      const query = { keyId, limit: 1 };
      const { data } = await call('listRequests', { query, signal });
      const found = data[0] ?? null;
      // By id, since this computer's clock may be wrong.
      if (keyId === undefined) setBefore((known) => (known === undefined ? (found?.id ?? null) : known));
      return found;
    },
    // A result of an earlier visit would count as new.
    gcTime: 0,
    refetchInterval: LOOK_EVERY_MS,
  });
  const record = latest.data?.id === before ? undefined : latest.data;
  return (
    <div role="status">
      {record == null ? (
        <p>{latest.error === null ? 'Waiting for the first request…' : latest.error.message}</p>
      ) : (
        <p>
          The latest request arrived at {formatTime(record.time)} at <code>{record.route}</code>:{' '}
          <DecisionTag record={record} />. <Link href={`/requests/${record.id}`}>Open the request</Link>
        </p>
      )}
      <p>
        To see a blocked request, send <code>SVC-TEST-BLOCK-7f3a</code> as the content.
      </p>
    </div>
  );
}
