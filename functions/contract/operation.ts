import type * as z from 'zod';
import type { ErrorCode } from '../kernel/errors/index.ts';
import type { Permission } from '../kernel/model/index.ts';
import type { Team } from '../kernel/teams/index.ts';

type AdminPermission = 'admin' | 'security' | 'operator' | 'analytics' | 'approvals';
/**
 * Who may call the admin and analytics API: a key or a dashboard session with the permission; `records` needs `analytics` and `security`.
 * `session` takes the session alone, `none` serves everyone.
 */
export type AdminAccess = AdminPermission | 'records' | 'session' | 'none';
/** Who may call the gateway: a key with the permission, or any one. */
export type KeyAccess = Exclude<Permission, AdminPermission> | 'any key';
/**
 * The lowest role in a team that may call an operation; its handler then has the data of this team alone. `deployment`: no role in a team
 * is enough.
 */
export type OperationScope = 'deployment' | Team['members'][number]['role'];

/** What is known of an operation without its schemas. */
export interface OperationHead {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Such as `/v1/admin/keys/{id}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** The permission, and whether the query is strict, are added to it. */
  readonly description?: string;
  readonly access: AdminAccess | KeyAccess;
}

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

/** Events that replace the body of a response. */
export interface OperationStream {
  readonly event: z.ZodType;
  /** The text of a whole stream. */
  readonly example: string;
  /** How it ends. */
  readonly end: string;
}

export interface OperationResponse {
  /** 200 if absent. */
  readonly status?: number;
  readonly description: string;
  /** More than one: any of them. None: other content, or a redirect. */
  readonly body?: z.ZodType | readonly z.ZodType[];
  readonly example?: unknown;
  readonly stream?: OperationStream;
  /** Bodies of other media types, as the document has them. */
  readonly content?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Further headers, by their names in the catalogue of headers. */
  readonly headers?: readonly string[];
}

/** What an operation takes and returns. */
export interface OperationSchemas {
  /** The `{name}` parts of the path. */
  readonly params?: z.ZodObject;
  /** If it is strict, another parameter is a 400. */
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly body?: OperationBody;
  /** A body of `multipart/form-data`. */
  readonly form?: z.ZodObject;
  readonly response: OperationResponse;
  /** Responses that are no errors, by status. */
  readonly otherResponses?: Readonly<Record<number, OperationResponse>>;
  /** Besides those of every key, query and body. */
  readonly errors?: readonly ErrorCode[];
}

/** An operation of the API: from it come its route, its parsing, its documentation, and what the command line and the dashboard offer. */
export interface Operation extends OperationHead, OperationSchemas {
  readonly access: AdminAccess;
  readonly scope: OperationScope;
}

/** An operation whose schemas are loaded when they are needed. */
export interface LazyOperation extends OperationHead {
  readonly schemas: () => Promise<OperationSchemas>;
}

/** Operations by their ids, with the types of their schemas. */
export function defineOperations<const Operations extends Readonly<Record<string, Operation | LazyOperation>>>(
  operations: Operations,
): Operations {
  return operations;
}
