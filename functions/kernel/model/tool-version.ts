import { sha256 } from '../crypto/index.ts';
import { isObject } from '../json/index.ts';
import type { DeclaredTool } from './declared-tool.ts';

/** The definition of a tool as digests, so that two can be compared without their text. */
export interface ToolVersion {
  /** SHA-256 of the definition, hexadecimal. */
  readonly digest: string;
  /** A short digest of each field, by its name: `description`, `parameters.properties.to`. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Arguments with their own digest; further ones share one. */
const MAX_ARGUMENTS = 32;
const ARGUMENTS = 'parameters.properties';
/** Members and arguments of other names share a digest, since their names could be text. */
const PLAIN_NAME = /^[A-Za-z0-9_$-]{1,64}$/;
const OTHER_MEMBERS = 'other members';
/** 48 bits: by chance, an administrator would see one name less. */
const FIELD_CHARS = 12;

export function versionOf({ definition }: Pick<DeclaredTool, 'definition'>): ToolVersion {
  const digests = Object.entries(partsOf(definition)).map(([name, part]) => [name, digestOf(part)] as const);
  return {
    digest: digestOf(Object.fromEntries(digests)),
    fields: Object.fromEntries(digests.map(([name, digest]) => [name, digest.slice(0, FIELD_CHARS)])),
  };
}

/** The names of the fields in which two versions differ, in order. */
export function fieldsChanged(before: ToolVersion, after: ToolVersion): string[] {
  const names = new Set([...Object.keys(before.fields), ...Object.keys(after.fields)]);
  return [...names].filter((name) => before.fields[name] !== after.fields[name]).sort();
}

type Parts = Record<string, unknown>;

/** The fields of a definition, with each argument as a field. */
function partsOf({ parameters, ...members }: DeclaredTool['definition']): Parts {
  const parts = named(Object.entries(members), '', OTHER_MEMBERS);
  if (!isObject(parameters) || !isObject(parameters.properties)) {
    return parameters === undefined ? parts : { ...parts, parameters };
  }
  const { properties, ...schema } = parameters;
  return { ...parts, ...named(Object.entries(properties), `${ARGUMENTS}.`, ARGUMENTS), parameters: schema };
}

/** The members by their names with a prefix. Those that get no separate name are together under `others`. */
function named(members: readonly (readonly [string, unknown])[], prefix: string, others: string): Parts {
  const parts: [string, unknown][] = [];
  const further: [string, unknown][] = [];
  for (const [name, value] of members.toSorted(byName)) {
    const isField = PLAIN_NAME.test(name) && parts.length < MAX_ARGUMENTS;
    (isField ? parts : further).push([isField ? prefix + name : name, value]);
  }
  // `fromEntries` takes any name, also __proto__.
  return Object.fromEntries(further.length === 0 ? parts : [...parts, [others, Object.fromEntries(further)]]);
}

function digestOf(value: unknown): string {
  return sha256(Buffer.from(canonicalJson(value))).toString('hex');
}

/** JSON with the members of each object in the order of their names: another order is no change. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).sort(byName)) : one,
  );
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
