import { parseArgs } from 'node:util';
import { createDynamoClient } from '../functions/adapters/aws-clients.ts';
import { DynamoAuditLog } from '../functions/adapters/dynamo-audit-log.ts';
import type { AuditList } from '../functions/admin-api/contract.ts';
import type { AuditEntry, ChainEnd } from '../functions/core/audit/audit-record.ts';
import { DEFAULT_AUDIT_RETENTION_DAYS } from '../functions/core/audit/retention.ts';
import { verifyChain } from '../functions/core/audit/verify-chain.ts';
import { clientFromEnvironment } from './admin-client.ts';
import { runCommand } from './run-command.ts';

/**
 * Reads the whole audit log and says where its chain is broken; ends with 1 where it is. Through the admin API with the key
 * in SVC_ADMIN_KEY, or from the table itself with the operator's own AWS credentials:
 * npm run --silent verify-audit -- (--url URL | --table NAME) [--anchor SEQ:HASH ...] [--retention-days 2557]
 */
const USAGE =
  'usage: npm run --silent verify-audit -- (--url URL | --table NAME) [--anchor SEQ:HASH ...] [--retention-days DAYS]';
const PAGE = 100;
const DAY_MS = 86_400_000;
const ANCHOR = /^([1-9]\d{0,14}):([0-9a-f]{64})$/;

await runCommand(verifyAudit);

async function verifyAudit(): Promise<number> {
  const { url, table, anchors, retentionDays } = readArguments();
  const pages = url === undefined ? fromTable(table as string, retentionDays) : fromApi(url);
  const first = await pages.next();
  const head = first.done ? undefined : first.value.head;
  const entries = async function* (): AsyncGenerator<AuditEntry, void> {
    if (!first.done) yield* first.value.entries;
    for await (const page of pages) yield* page.entries;
  };
  const expiredBeforeMs = Date.now() - retentionDays * DAY_MS;
  const { faults, end, count } = await verifyChain(entries(), { head, anchors, expiredBeforeMs });
  for (const { seq, problem } of faults) console.log(`record ${seq}: ${problem}`);
  if (end === undefined) console.log('The audit log is empty.');
  else console.log(`${count} records, the newest is ${end.seq}:${end.hash} of ${end.at}`);
  console.log(faults.length === 0 ? 'The chain is whole.' : 'The chain is BROKEN.');
  return faults.length === 0 ? 0 : 1;
}

interface Page {
  readonly entries: readonly AuditEntry[];
  readonly head: ChainEnd | undefined;
}

async function* fromApi(address: string): AsyncGenerator<Page, void> {
  const client = clientFromEnvironment(address);
  let cursor: string | null = null;
  do {
    const after: string = cursor === null ? '' : `&cursor=${cursor}`;
    const page: AuditList = await client.call('GET', `/audit?limit=${PAGE}${after}`);
    const list = page.data.map(({ object: _, hash, ...record }) => ({ record, hash }));
    yield { entries: list, head: page.head ?? undefined };
    cursor = page.nextCursor;
  } while (cursor !== null);
}

async function* fromTable(name: string, retentionDays: number): AsyncGenerator<Page, void> {
  const log = new DynamoAuditLog(createDynamoClient(), name, retentionDays);
  let cursor: string | undefined;
  do {
    const page = await log.list(PAGE, cursor);
    yield page;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        url: { type: 'string' },
        table: { type: 'string' },
        anchor: { type: 'string', multiple: true, default: [] },
        'retention-days': { type: 'string', default: String(DEFAULT_AUDIT_RETENTION_DAYS) },
      },
    });
    const anchors = values.anchor.map((text) => {
      const [, seq, hash] = ANCHOR.exec(text) ?? [];
      if (seq === undefined || hash === undefined) throw new Error('no anchor');
      return { seq: Number(seq), hash };
    });
    const days = Number(values['retention-days']);
    if ((values.url === undefined) !== (values.table === undefined) && Number.isInteger(days) && days > 0) {
      return { url: values.url, table: values.table, anchors, retentionDays: days };
    }
  } catch {
    // An option that is none: told below like any other.
  }
  console.error(USAGE);
  process.exit(2);
}
