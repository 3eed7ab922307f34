import { setTimeout as pause } from 'node:timers/promises';
import type { RequestRecord } from '../../../functions/admin-api/contract.ts';
import type { Command } from '../command.ts';
import type { Output } from '../output.ts';
import { isPassing, kindOf, RequestTail } from '../tail-requests.ts';
import { UsageError } from '../usage-error.ts';

const KINDS = ['threat', 'blocked', 'limited'] as const;
const EVERY_MS = 2_000;

export const EVENT_COMMANDS: readonly Command[] = [
  {
    name: 'events tail',
    args: [],
    summary: 'Tells of requests with threats, blocked and limited ones as they come, until Ctrl-C.',
    options: {
      since: { value: 'TIME', help: 'Those since then first: 1h. Else what comes from now on.' },
      only: { value: 'A,B', help: 'threat, blocked, limited; all where nothing is said.' },
      every: { value: 'DURATION', help: 'How often it looks: 2s.' },
    },
    examples: ['events tail', 'events tail --since 1h --only blocked,limited --json'],
    async run(input, { api, out, nowMs, untilStopped }) {
      const client = api();
      const only: readonly (string | undefined)[] = input.list('only') ?? KINDS;
      if (only.some((one) => !KINDS.some((kind) => kind === one))) {
        throw new UsageError(`--only must be of ${KINDS.join(', ')}.`);
      }
      const everyMs = input.duration('every') ?? EVERY_MS;
      const sinceMs = Date.parse(input.time('since', nowMs) ?? new Date(nowMs).toISOString());
      const tail = new RequestTail(
        (from) => client.list<RequestRecord>('/analytics/requests', { from }),
        sinceMs,
        nowMs,
      );
      const signal = untilStopped();
      while (!signal.aborted) {
        try {
          for (const record of await tail.look(Date.now())) {
            if (only.includes(kindOf(record))) tell(record, out);
          }
        } catch (error) {
          if (!isPassing(error)) throw error;
          out.say(`${error.message}; trying again`);
        }
        await pause(everyMs, undefined, { signal }).catch(() => {});
      }
      return 0;
    },
  },
];

function tell(record: RequestRecord, out: Output): void {
  if (out.json) {
    out.objects([{ kind: kindOf(record), ...record }]);
    return;
  }
  const { time, id, keyId, endUserId, threatScore, findings, errorCode } = record;
  const rules = [...new Set(findings.map(({ rule }) => rule))].join();
  const words = [time, kindOf(record), id, keyId, endUserId ?? '-', threatScore, rules || (errorCode ?? '-')];
  out.line(words.join('  '));
}
