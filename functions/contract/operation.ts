import type * as z from 'zod';
import type { ErrorCode } from '../core/base/errors.ts';

/**
 * Who may call: a key or a dashboard session with the permission; `records` needs `analytics` and `admin`. `session` takes the session alone,
 * `none` serves everyone.
 */
export type Access = 'admin' | 'analytics' | 'records' | 'session' | 'none';

export interface Example {
  readonly summary?: string;
  readonly value: unknown;
}

export interface OperationBody {
  readonly schema: z.ZodType;
  readonly examples: Readonly<Record<string, Example>>;
  /** An absent body is `{}`. */
  readonly isOptional?: true;
  /** 6 MiB if absent. */
  readonly maxBytes?: number;
  /** The handler gets the document, which the pipeline parses with this schema. */
  readonly isDocument?: true;
}

export interface OperationResponse {
  /** 200 if absent. */
  readonly status?: number;
  readonly description: string;
  /** More than one: any of them. None: a redirect. */
  readonly body?: z.ZodType | readonly z.ZodType[];
  readonly example?: unknown;
  /** Further headers, by their names in the catalogue of headers. */
  readonly headers?: readonly string[];
}

/** An operation of the API: from it come its route, its parsing, its documentation, and what the command line and the dashboard offer. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Such as `/v1/admin/keys/{id}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** The permission, and whether the query is strict, are added to it. */
  readonly description?: string;
  readonly access: Access;
  /** The `{name}` parts of the path. */
  readonly params?: z.ZodObject;
  /** A strict object: another parameter is a 400. */
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly body?: OperationBody;
  readonly response: OperationResponse;
  /** Besides those of every key, query and body. */
  readonly errors?: readonly ErrorCode[];
}

/** Operations by their ids, with the types of their schemas. */
export function defineOperations<const Operations extends Readonly<Record<string, Operation>>>(
  operations: Operations,
): Operations {
  return operations;
}
