import * as z from 'zod';
import { TABLE_NAMES, type TableName } from '../../functions/adapters/dynamo/tables.ts';

const name = z.string().min(1);
const tableNames = Object.fromEntries(TABLE_NAMES.map((table) => [table, name])) as Record<TableName, typeof name>;

/**
 * The value of an SSM parameter, as JSON: names of the tables, queues and secrets that containers share, without any secret. The data stack of a
 * deployment writes it, and `svc create-tables`. Members that a later version adds are left out by an earlier one.
 */
export const storesParameterSchema = z.object({
  tables: z.object(tableNames),
  /** URLs of SQS queues. */
  queues: z.object({ events: z.url(), deliveries: z.url() }),
  /** ARNs of Secrets Manager. */
  secrets: z.object({ pepper: name, sealingKey: name, credentialsKey: name, providers: name }),
  /** What counts records, relays events, delivers webhooks and watches keys: a deployment's functions or the containers. */
  background: z.enum(['functions', 'containers']),
});

export type StoresParameter = z.infer<typeof storesParameterSchema>;

/** The parameter's name for a data stack, or for the name of `svc create-tables`. */
export function storesParameterName(stackName: string): string {
  return `/svc/${stackName}/stores`;
}
