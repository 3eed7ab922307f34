import fc from 'fast-check';
import type { FuzzedService } from '../fuzzed-service.ts';
import { faultOf, PROVIDER_FAULTS } from '../judge-answer.ts';
import { requestsOf } from '../operations.ts';
import type { FuzzTarget } from '../target.ts';

/** Callers' routes: bodies, paths, queries and tracking headers near valid ones, with the echo model. */
export function requestTarget(service: FuzzedService): FuzzTarget {
  const requests = requestsOf((path) => !/^\/v1\/(?:admin|analytics)\b/.test(path), ['echo', `req_${'0'.repeat(32)}`]);
  return {
    name: 'callers’ routes',
    share: 35,
    property: fc.asyncProperty(requests, async (asked) => {
      // Where another model is named, or none where a route has its own, a provider is asked, which plays nothing here.
      const fault = faultOf(await service.ask(asked), PROVIDER_FAULTS);
      if (fault !== undefined) throw new Error(fault);
    }),
  };
}
