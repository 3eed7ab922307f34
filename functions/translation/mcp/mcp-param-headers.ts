import type { RequestHeaders } from '../../kernel/http/index.ts';
import { isObject } from '../../kernel/json/index.ts';
import { decodeHeader, encodeHeader, mismatch } from './mcp-message.ts';

const ANNOTATION = 'x-mcp-header';
const TOKEN = /^[\w!#$%&'*+.^`|~-]{1,64}$/;
const PRIMITIVES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);
/** Members of a schema whose values are no schemas. */
const DATA: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples', 'required']);
/** Deeper schemas are refused with their lists: JSON of servers has at most 64 levels. */
const MAX_SCHEMA_DEPTH = 64;

/** An argument that a header repeats. */
export interface MirroredArgument {
  readonly path: readonly string[];
  readonly header: string;
}

/** The annotated arguments of a schema; undefined if an annotation is invalid, or in a place that no header can have a value of. */
export function mirroredIn(schema: Readonly<Record<string, unknown>>): MirroredArgument[] | undefined {
  const found: MirroredArgument[] = [];
  /** @param path of the argument; undefined for a schema that is reached through other members than `properties` */
  const visit = (value: unknown, path: readonly string[] | undefined, depth: number): boolean => {
    if (Array.isArray(value)) return value.every((one) => visit(one, undefined, depth + 1));
    if (!isObject(value)) return true;
    if (depth > MAX_SCHEMA_DEPTH) return false;
    const { [ANNOTATION]: header, type } = value;
    if (header !== undefined) {
      if (typeof header !== 'string' || !TOKEN.test(header) || !PRIMITIVES.has(type)) return false;
      if (path === undefined || path.length === 0) return false;
      found.push({ path, header });
    }
    return Object.entries(value).every(([member, below]) => {
      if (DATA.has(member)) return true;
      if (member !== 'properties' || !isObject(below)) return visit(below, undefined, depth + 1);
      return Object.entries(below).every(([name, property]) =>
        visit(property, path === undefined ? undefined : [...path, name], depth + 1),
      );
    });
  };
  const isValid = visit(schema, [], 0);
  const names = new Set(found.map(({ header }) => header.toLowerCase()));
  return isValid && names.size === found.length ? found : undefined;
}

interface Mirroring {
  readonly mirrored: readonly MirroredArgument[];
}

/** Headers for the arguments that the server wants repeated. */
export function paramHeaders({ mirrored }: Mirroring, args: unknown): Record<string, string> {
  return Object.fromEntries(
    mirrored.flatMap(({ path, header }) => {
      const text = textAt(args, path);
      return text === undefined ? [] : [[`mcp-param-${header.toLowerCase()}`, encodeHeader(text)]];
    }),
  );
}

/** @throws McpError if a client's header differs from the argument that it repeats */
export function checkParamHeaders({ mirrored }: Mirroring, args: unknown, headers: RequestHeaders): void {
  for (const { path, header } of mirrored) {
    const name = `Mcp-Param-${header}`;
    const sent = headers.get(name);
    const text = textAt(args, path);
    if (sent === null && text === undefined) continue;
    const read = decodeHeader(sent ?? '');
    const isSame =
      sent !== null && read !== undefined && (read === text || (text !== undefined && isSameInteger(read, text)));
    if (!isSame) throw mismatch(name, ['params', 'arguments', ...path].join('.'));
  }
}

function isSameInteger(a: string, b: string): boolean {
  return /^-?\d{1,16}(?:\.0+)?$/.test(a) && /^-?\d{1,16}$/.test(b) && Number(a) === Number(b);
}

function textAt(args: unknown, path: readonly string[]): string | undefined {
  const value = path.reduce<unknown>(
    (held, name) => (isObject(held) && Object.hasOwn(held, name) ? held[name] : undefined),
    args,
  );
  if (typeof value === 'string') return value;
  return typeof value === 'boolean' || Number.isSafeInteger(value) ? String(value) : undefined;
}
