/** A first call in each language, for a key that the reader puts in the environment: no key stands in a snippet. */
export function firstCalls(origin: string): readonly { readonly name: string; readonly text: string }[] {
  const base = `${origin}/v1`;
  return [
    {
      name: 'curl',
      text: `export SVC_KEY=<YOUR_KEY>
curl ${base}/chat/completions \\
  -H "Authorization: Bearer $SVC_KEY" -H 'Content-Type: application/json' \\
  -d '{"model":"echo","messages":[{"role":"user","content":"Hello"}]}'`,
    },
    {
      name: 'Python',
      text: `import os
from openai import OpenAI

client = OpenAI(base_url="${base}", api_key=os.environ["SVC_KEY"])
answer = client.chat.completions.create(model="echo", messages=[{"role": "user", "content": "Hello"}])
print(answer.choices[0].message.content, answer.svc)`,
    },
    {
      name: 'TypeScript',
      text: `import OpenAI from 'openai';

const client = new OpenAI({ baseURL: '${base}', apiKey: process.env.SVC_KEY });
const answer = await client.chat.completions.create({
  model: 'echo',
  messages: [{ role: 'user', content: 'Hello' }],
});
console.log(answer.choices[0].message.content);`,
    },
  ];
}
