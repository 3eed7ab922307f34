import * as z from 'zod';
import type { CommonSettings, SettingTable, VariablesOf } from '../../functions/adapters/env.ts';
import { ADMIN_SETTINGS } from '../../functions/admin-api/env.ts';
import { FIRST_ADMIN_KEY_SETTINGS } from '../../functions/first-admin-key/env.ts';
import { GATEWAY_SETTINGS } from '../../functions/gateway/env.ts';
import { KEY_WATCH_SETTINGS } from '../../functions/key-watch/env.ts';
import { USAGE_COUNTER_SETTINGS } from '../../functions/usage-counter/env.ts';
import { WEBHOOK_DELIVERY_SETTINGS } from '../../functions/webhook-delivery/env.ts';

/** The settings that each function reads from its environment, by the function's folder. */
export const FUNCTION_SETTINGS = {
  gateway: GATEWAY_SETTINGS,
  'admin-api': ADMIN_SETTINGS,
  'usage-counter': USAGE_COUNTER_SETTINGS,
  'key-watch': KEY_WATCH_SETTINGS,
  'webhook-delivery': WEBHOOK_DELIVERY_SETTINGS,
  'first-admin-key': FIRST_ADMIN_KEY_SETTINGS,
} as const satisfies Readonly<Record<string, SettingTable>>;

/** A deployed function's environment variables for a stage's settings, without those of absent settings. */
export function stageVariables<const Table extends SettingTable>(
  table: Table,
  stage: object,
): Partial<z.input<z.ZodObject<VariablesOf<Table>>>> {
  const variables = Object.entries(table).flatMap(([name, { variable, path = name, inStage, toText }]) => {
    const value = inStage && valueAt(stage, path);
    const text = value === undefined ? undefined : toText?.(value as never);
    return text === undefined ? [] : [[variable, text] as const];
  });
  return Object.fromEntries(variables) as Partial<z.input<z.ZodObject<VariablesOf<Table>>>>;
}

function valueAt(stage: object, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>> | undefined)?.[name], stage);
}

/** A table's variables that the local run reads, by variable name. */
type LocalVariablesOf<Table extends SettingTable> = {
  [Name in keyof Table as Table[Name] extends { local: false }
    ? never
    : Table[Name]['variable']]: Table[Name]['schema'];
};

/** The local run's schemas for a table's variables. */
export function localVariables<const Table extends SettingTable>(table: Table): LocalVariablesOf<Table> {
  const fields = Object.values(table).flatMap(({ variable, schema, local }) =>
    local === false ? [] : [[variable, local?.() ?? schema] as const],
  );
  return Object.fromEntries(fields) as LocalVariablesOf<Table>;
}

/** The local run's settings by name; an empty variable counts as absent. */
export function readLocalSettings<const Table extends SettingTable>(
  table: Table,
  variables: Readonly<Record<string, string | undefined>>,
): CommonSettings<Table> {
  const set = Object.fromEntries(Object.entries(variables).filter(([, text]) => text !== ''));
  const values: Readonly<Record<string, unknown>> = z.object(localVariables(table)).parse(set);
  const fields = Object.entries(table).flatMap(([name, { variable, local }]) =>
    local === false ? [] : [[name, values[variable]] as const],
  );
  return Object.fromEntries(fields) as CommonSettings<Table>;
}
