import { isDeepStrictEqual } from 'node:util';

/** Documents of a configuration file, in the order in which they are written. */
export const DOCUMENTS = ['prices', 'providers', 'routes', 'policy', 'identity', 'mcpServers'] as const;
export type DocumentName = (typeof DOCUMENTS)[number];

/**
 * The content of a document by the names of its parts: fields of the policy, models of the prices, names of providers and MCP servers, issuers of
 * tokens; routes are one part, since their order counts.
 */
export type Parts = Readonly<Record<string, unknown>>;

/** Providers or MCP servers by their names. */
export function partsByName(named: readonly { readonly name: string }[]): Parts {
  return Object.fromEntries(named.map((one) => [one.name, one]));
}

/** Issuers by their addresses. The order of an issuer's rules is in it. */
export function issuerParts(issuers: readonly { readonly issuer: string }[]): Parts {
  return Object.fromEntries(issuers.map((one) => [one.issuer, one]));
}

/** A document as deployed. */
export interface DeployedDocument {
  readonly version: number;
  readonly parts: Parts;
  readonly createdAt: string | null;
  readonly createdBy: string | null;
  /** The parts of the version that the file names; absent if it names none. */
  readonly base?: Parts | undefined;
}

/** The write of a document, over the version that was read. */
export interface PutDocument {
  readonly do: `put ${DocumentName}`;
  readonly document: DocumentName;
  readonly before: Parts;
  readonly after: Parts;
  readonly version: number;
}

/** A part that was changed in the deployment since the version that the file names. */
export interface ChangedSince {
  readonly document: DocumentName;
  readonly part: string;
  /** The file does not change it: it stays. Otherwise both have changed it, in different ways. */
  readonly isKept: boolean;
  readonly inFile: unknown;
  readonly deployed: unknown;
  readonly version: number;
  readonly createdAt: string | null;
  readonly createdBy: string | null;
}

/**
 * The write that makes a document match the file, without undoing what others have changed since the version that the file names: what the
 * file has as in that version stays as deployed. A part that both have changed is in `since`, and the write has the file's value.
 */
export function planDocument(
  document: DocumentName,
  wanted: Parts,
  { version, parts: before, createdAt, createdBy, base }: DeployedDocument,
): { readonly steps: readonly PutDocument[]; readonly since: readonly ChangedSince[] } {
  const names = [...new Set([...Object.keys(before), ...Object.keys(wanted)])];
  const differs = (name: string, one: Parts, other: Parts) => !isDeepStrictEqual(one[name], other[name]);
  const changedBoth =
    base === undefined ? [] : names.filter((name) => differs(name, base, before) && differs(name, wanted, before));
  const since = changedBoth.map((part) => ({
    document,
    part,
    isKept: base !== undefined && !differs(part, base, wanted),
    inFile: wanted[part],
    deployed: before[part],
    ...{ version, createdAt, createdBy },
  }));
  const kept = new Set(since.flatMap(({ part, isKept }) => (isKept ? [part] : [])));
  const after = Object.fromEntries(
    names.flatMap((name) => {
      const from = kept.has(name) ? before : wanted;
      return from[name] === undefined ? [] : [[name, from[name]]];
    }),
  );
  const isSame = names.every((name) => !differs(name, before, after));
  return { steps: isSame ? [] : [{ do: `put ${document}`, document, before, after, version }], since };
}

/**
 * The writes in an order that the deployment takes: a provider that a route names cannot be removed. So providers are removed last, after the
 * routes are written.
 */
export function inOrder(steps: readonly PutDocument[]): readonly PutDocument[] {
  const removals: PutDocument[] = [];
  const others = steps.flatMap((step) => {
    const { document, before, after, version } = step;
    const isRemoved = (name: string) => !Object.hasOwn(after, name);
    if (document !== 'providers' || !Object.keys(before).some(isRemoved)) return [step];
    const grown = { ...before, ...after };
    const first = isDeepStrictEqual(before, grown) ? [] : [{ ...step, after: grown }];
    removals.push({ ...step, before: grown, version: version + first.length });
    return first;
  });
  return [...others, ...removals];
}
