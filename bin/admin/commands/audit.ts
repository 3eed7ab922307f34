import type { AuditList, RowOf } from '../../../functions/contract/index.ts';
import {
  type AuditEntry,
  type ChainEnd,
  DEFAULT_AUDIT_RETENTION_DAYS,
} from '../../../functions/control/audit/index.ts';
import type { AdminClient } from '../admin-client.ts';
import { type Command, UsageError } from '../command.ts';
import { optionsOf, queryFrom } from '../fields.ts';
import { keyNames } from '../key-names.ts';

type Entry = RowOf<'listAudit'>;

const PAGE = 100;
const DAY_MS = 86_400_000;
const ANCHOR = /^([1-9]\d{0,14}):([0-9a-f]{64})$/;

export const AUDIT_COMMANDS: readonly Command[] = [
  {
    name: 'audit list',
    args: [],
    summary: 'Lists changes by administrators, newest first.',
    options: optionsOf('listAudit'),
    examples: ['audit list', 'audit list --limit 1000 --json'],
    async run(input, context) {
      const { api, out } = context;
      const client = api();
      const list = await client.all('listAudit', {
        query: { limit: 50, ...(await queryFrom('listAudit', input, context)) },
      });
      const ids = list.flatMap(({ target, actor }) => [target.id, actor.type === 'key' ? actor.id : null]);
      const names = out.json ? undefined : await keyNames(client, ids);
      out.list(list, {
        SEQ: ({ seq }) => seq,
        AT: ({ at }) => at,
        ACTION: ({ action }) => action,
        TARGET: ({ target }) => target.id,
        NAME: ({ target, before, after }) => names?.get(target.id) ?? nameIn(after) ?? nameIn(before),
        ACTOR: ({ actor }) => (actor.type === 'key' ? actor.id : actor.type === 'person' ? actor.subject : actor.type),
        'ACTOR NAME': ({ actor }) =>
          actor.type === 'key' ? names?.get(actor.id) : actor.type === 'person' ? actor.email : null,
        FROM: ({ from }) => from?.address,
        // A new object has all fields.
        CHANGED: ({ before, after }) => (before === null || after === null ? null : Object.keys(after).join()),
      });
      return 0;
    },
  },
  {
    name: 'audit verify',
    args: [],
    summary: 'Verifies the hash chain of the whole audit log; exit code 1 if it is broken.',
    options: {
      table: { value: 'NAME', help: 'Read the table directly, with your AWS credentials.' },
      anchor: {
        value: 'SEQ:HASH',
        multiple: true,
        help: 'A record that must still exist, as an earlier audit verify printed it.',
      },
      'retention-days': {
        value: 'DAYS',
        help: `Retention of records, in days. Default: ${DEFAULT_AUDIT_RETENTION_DAYS}.`,
      },
    },
    examples: ['audit verify --anchor 120:5f3c...', 'audit verify --table svc-production-data-Audit...'],
    async run(input, { api, out, nowMs }) {
      const retentionDays = input.count('retention-days') ?? DEFAULT_AUDIT_RETENTION_DAYS;
      const anchors = input.all('anchor').map(anchorOf);
      const table = input.text('table');
      if (table !== undefined && input.text('url') !== undefined) {
        throw new UsageError('--table reads the table directly: leave out --url.');
      }
      const pages = table === undefined ? fromApi(api()) : fromTable(table, retentionDays);
      const first = await pages.next();
      const head = first.done ? undefined : first.value.head;
      const entries = async function* (): AsyncGenerator<AuditEntry, void> {
        if (first.done) return;
        let read = 0;
        const report = ({ length }: readonly unknown[]) => {
          read += length;
          out.progress(`Verified ${read} of ${Math.max(read, head?.seq ?? 0)} records`);
        };
        yield* first.value.entries;
        report(first.value.entries);
        for await (const page of pages) {
          yield* page.entries;
          report(page.entries);
        }
      };
      const expiredBeforeMs = nowMs - retentionDays * DAY_MS;
      const { verifyChain } = await import('../../../functions/control/audit/index.ts');
      const { faults, end, count } = await verifyChain(entries(), { head, anchors, expiredBeforeMs });
      const whole = faults.length === 0;
      if (out.json) out.objects([{ whole, records: count, newest: end ?? null, faults }]);
      for (const { seq, problem } of faults) out.line(`record ${seq}: ${problem}`);
      if (end === undefined) out.line('The audit log is empty.');
      else out.line(`${count} records, the newest is ${end.seq}:${end.hash} of ${end.at}`);
      out.line(whole ? 'The chain is intact.' : 'The chain is BROKEN.');
      return whole ? 0 : 1;
    },
  },
];

/** The name or address of a changed key or webhook. */
function nameIn(fields: Entry['after']): string | undefined {
  const name = fields?.name ?? fields?.url;
  return typeof name === 'string' ? name : undefined;
}

interface AuditPage {
  readonly entries: readonly AuditEntry[];
  readonly head: ChainEnd | undefined;
}

async function* fromApi(client: AdminClient): AsyncGenerator<AuditPage, void> {
  let cursor: string | undefined;
  do {
    const page: AuditList = await client.call('listAudit', { query: { limit: PAGE, cursor } });
    const list = page.data.map(({ object: _, hash, ...record }) => ({ record, hash }));
    yield { entries: list, head: page.head ?? undefined };
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

async function* fromTable(name: string, retentionDays: number): AsyncGenerator<AuditPage, void> {
  // Loaded only if needed: the SDK is large.
  const { createDynamoClient } = await import('../table-client.ts');
  const { DynamoAuditLog } = await import('../../../functions/adapters/dynamo/dynamo-audit-log.ts');
  const log = new DynamoAuditLog(createDynamoClient(), name, retentionDays);
  let cursor: string | undefined;
  do {
    const page = await log.list(PAGE, cursor);
    yield page;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

function anchorOf(text: string): { seq: number; hash: string } {
  const [, seq, hash] = ANCHOR.exec(text) ?? [];
  if (seq === undefined || hash === undefined)
    throw new UsageError('--anchor must be SEQ:HASH, as audit verify prints it.');
  return { seq: Number(seq), hash };
}
