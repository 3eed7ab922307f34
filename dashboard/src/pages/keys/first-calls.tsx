import { Tabs } from '@mantine/core';
import { CopyField } from '../../components/text-box.tsx';

/** Commands that call the gateway with a key; without its secret they name its place. */
export function FirstCalls({ secret = '<YOUR_KEY>' }: { readonly secret?: string | undefined }) {
  const calls = firstCalls(window.location.origin, secret);
  return (
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
