import fc from 'fast-check';
import type { FuzzedService } from '../fuzzed-service.ts';
import { faultOf } from '../judge-answer.ts';
import { requestsOf } from '../operations.ts';
import type { FuzzTarget } from '../target.ts';

/** The admin and analytics APIs, asked by an administrator; what they change is the keys, endpoints and policies of this run. */
export async function adminTarget(service: FuzzedService): Promise<FuzzTarget> {
  const make = async (path: string, body: object) => {
    const { text } = await service.ask({ method: 'POST', path, body: JSON.stringify(body), as: 'admin' });
    return (JSON.parse(text) as { id: string }).id;
  };
  const ids = [
    await make('/v1/admin/keys', { name: 'one' }),
    await make('/v1/admin/keys', { name: 'two' }),
    await make('/v1/admin/webhooks', { url: 'https://hooks.invalid/x', events: ['key.created'] }),
    'somebody',
    `req_${'0'.repeat(32)}`,
  ];
  const requests = requestsOf((path) => /^\/v1\/(?:admin|analytics)\//.test(path), ids);
  return {
    name: 'admin and analytics',
    share: 15,
    property: fc.asyncProperty(requests, async (asked) => {
      const fault = faultOf(await service.ask({ ...asked, as: 'admin' }));
      if (fault !== undefined) throw new Error(fault);
    }),
  };
}
