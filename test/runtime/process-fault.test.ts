import { afterEach, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { createFaultHook } from '../support/fault-hook.ts';
import { startMockUpstream } from '../support/mock-upstream/start-mock-upstream.ts';
import { type Deployment, type Home, startDeployment } from './deployment.ts';
import { putAdminKey } from './put-admin-key.ts';

let deployment: Deployment | undefined;
afterEach(() => deployment?.stop());

test.each<[Home]>([['function-url'], ['web-function']])(
  'a fault outside of a request ends the process of the %s after its stream got an error, was settled and recorded',
  async (home) => {
    const hook = createFaultHook();
    const upstream = await startMockUpstream();
    const providers = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${upstream.url}/v1` };
    deployment = await startDeployment(providers, hook.env as object, { home, instances: 1 });
    const key = await putAdminKey(deployment);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    upstream.next({ text: 'word '.repeat(10_000), delayMs: 20 });
    const body = { model: 'gpt-4o-mini', stream: true, messages: [{ role: 'user', content: 'Hello' }] };
    const response = await fetch(`${deployment.baseUrl}/chat/completions`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
    await hook.raise();
    expect(await response.text()).toMatch(/"error":\{[\s\S]*cancelled/);

    const logged = () => (deployment?.logs() ?? []).filter((line) => line.includes('"process failed"'));
    await eventually(() => logged()[0]);
    expect(logged().map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 'ERROR', error: 'TypeError', stack: expect.any(Array) }),
    ]);
    expect(deployment.logs().join('\n')).not.toContain('planted prompt');
    const recorded = await eventually(async () => {
      const listed = await fetch(`${deployment?.adminUrl}/analytics/requests`, { headers });
      const { data } = (await listed.json()) as { data: object[] };
      return data.length > 0 ? data : undefined;
    });
    expect(recorded).toMatchObject([{ id: response.headers.get('x-request-id'), state: 'cancelled' }]);
    await upstream.close();
  },
);
