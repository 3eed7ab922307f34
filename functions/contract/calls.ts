import type * as z from 'zod';
import type { Operations } from './operations.ts';

export type OperationId = keyof Operations;

/** The `{name}` parts of an operation's path; undefined if it has none. */
export type ParamsOf<Id extends OperationId> = Operations[Id] extends { readonly params: z.ZodObject<infer Shape> }
  ? { readonly [Name in keyof Shape]: string }
  : undefined;

/** The query of an operation, of which every field may be left out; undefined if it has none. */
export type QueryOf<Id extends OperationId> = Operations[Id] extends { readonly query: z.ZodObject<infer Shape> }
  ? { readonly [Name in keyof Shape]?: string | number | boolean | readonly string[] | undefined }
  : undefined;

/** The body of an operation as a client sends it; undefined if it has none. */
export type BodyOf<Id extends OperationId> = Operations[Id] extends {
  readonly body: { readonly schema: infer Schema extends z.ZodType };
}
  ? z.input<Schema>
  : undefined;

/** The document that an operation returns; undefined if it returns none. */
export type ResponseOf<Id extends OperationId> = Operations[Id]['response'] extends { readonly body: infer Body }
  ? Body extends readonly z.ZodType[]
    ? z.output<Body[number]>
    : z.output<Body>
  : undefined;

/** Operations that return pages of a list. */
export type ListId = {
  [Id in OperationId]: ResponseOf<Id> extends { readonly data: readonly unknown[]; readonly nextCursor: string | null }
    ? Id
    : never;
}[OperationId];

/** An entry of a list. */
export type RowOf<Id extends ListId> = ResponseOf<Id> extends { readonly data: readonly (infer Row)[] } ? Row : never;

type Needed<Name extends string, Value> = Value extends undefined ? unknown : { readonly [Key in Name]: Value };
type Allowed<Name extends string, Value> = Value extends undefined ? unknown : { readonly [Key in Name]?: Value };

/** What a call of an operation needs besides its id. */
export type CallOf<Id extends OperationId> = Needed<'params', ParamsOf<Id>> &
  Allowed<'query', QueryOf<Id>> &
  (Operations[Id] extends { readonly body: { readonly isOptional: true } }
    ? { readonly body?: BodyOf<Id> }
    : Needed<'body', BodyOf<Id>>);
