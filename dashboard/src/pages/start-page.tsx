import { Button, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { CreatedKey } from '../api/client.ts';
import { call } from '../api/operations.ts';
import { formatTime } from '../components/format.ts';
import { Page, Panel } from '../components/page.tsx';
import { DecisionTag } from '../components/tag.tsx';
import { CopyField } from '../components/text-box.tsx';
import { CreateKeyDialog } from './keys/key-dialogs.tsx';

const LOOK_EVERY_MS = 3_000;

/** Steps to a first inspected request. */
export default function StartPage() {
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedKey>();
  const calls = firstCalls(window.location.origin, created?.key ?? '<YOUR_KEY>');
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
        <Tabs defaultValue="curl">
          <Tabs.List>
            {calls.map(({ name }) => (
              <Tabs.Tab key={name} value={name}>
                {name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {calls.map(({ name, text }) => (
            <Tabs.Panel key={name} value={name} pt="sm">
              <CopyField label={name} text={text} />
            </Tabs.Panel>
          ))}
        </Tabs>
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

/** A first request in each language, after setting the key in the environment. */
function firstCalls(origin: string, key: string): readonly { readonly name: string; readonly text: string }[] {
  const base = `${origin}/v1`;
  return [
    {
      name: 'curl',
      text: `export SVC_API_KEY=${key}
curl ${base}/chat/completions \\
  -H "Authorization: Bearer $SVC_API_KEY" -H 'Content-Type: application/json' \\
  -d '{"model":"echo","messages":[{"role":"user","content":"Hello"}]}'`,
    },
    {
      name: 'Python',
      text: `# export SVC_API_KEY=${key}
import os
from openai import OpenAI

client = OpenAI(base_url="${base}", api_key=os.environ["SVC_API_KEY"])
answer = client.chat.completions.create(model="echo", messages=[{"role": "user", "content": "Hello"}])
print(answer.choices[0].message.content, answer.svc)`,
    },
    {
      name: 'TypeScript',
      // Not at the start of a line, where it would be an import of this file.
      text: `// export SVC_API_KEY=${key}${'\n'}import OpenAI from 'openai';

const client = new OpenAI({ baseURL: '${base}', apiKey: process.env.SVC_API_KEY });
const answer = await client.chat.completions.create({
  model: 'echo',
  messages: [{ role: 'user', content: 'Hello' }],
});
console.log(answer.choices[0].message.content);`,
    },
  ];
}
