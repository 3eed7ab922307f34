import type { CallOf, OperationId, ResponseOf } from '../../../functions/contract/index.ts';
import { type Answer, type Query, request, type Transport } from './client.ts';
import operations from './operations.generated.json' with { type: 'json' };

/** How a value is entered. A `group` is an object without a label, whose fields have their own; `rows` are a list of objects. */
export type FieldKind =
  | 'text'
  | 'number'
  | 'switch'
  | 'select'
  | 'choices'
  | 'list'
  | 'pairs'
  | 'amount'
  | 'time'
  | 'json'
  | 'group'
  | 'rows';

/** A field of a query or a body, as people set it. */
export interface FormField {
  readonly name: string;
  readonly kind: FieldKind;
  readonly label: string;
  readonly hint?: string;
  /** Part of the form of a key; without one the field is at the top. */
  readonly section?: string;
  readonly choices?: readonly string[];
  readonly choiceLabels?: Readonly<Record<string, string>>;
  /** Other values than the choices are possible. */
  readonly isOpen?: boolean;
  readonly isRequired?: boolean;
  readonly isNullable?: boolean;
  readonly isWhole?: boolean;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Of an amount in a period: the name of its number, and the periods. */
  readonly amount?: string;
  readonly periods?: readonly string[];
  readonly fields?: readonly FormField[];
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly query: readonly FormField[];
  readonly body: readonly FormField[];
}

export const OPERATIONS = operations as unknown as Readonly<Record<OperationId, Operation>>;

type Params = Readonly<Record<string, string>>;
export type CallOptions<Id extends OperationId> = CallOf<Id> & Transport;

/** The path of an operation; those of one resource begin alike. */
export function pathTo(id: OperationId, params: Params = {}): string {
  return OPERATIONS[id].path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

/** Calls an operation with the session cookie. Throws an ApiError; does not retry. */
export async function call<Id extends OperationId>(id: Id, options: CallOptions<Id>): Promise<ResponseOf<Id>> {
  return (await callWithHeaders(id, options)).data;
}

export function callWithHeaders<Id extends OperationId>(
  id: Id,
  options: CallOptions<Id>,
): Promise<Answer<ResponseOf<Id>>> {
  const { params, ...rest } = options as Transport & { readonly params?: Params; readonly query?: Query };
  return request(OPERATIONS[id].method, pathTo(id, params), rest);
}
