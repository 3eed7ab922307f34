import { isObject, type JsonEdit, setNumber } from '../../../kernel/json/index.ts';
import { TERMS, type Term, type Usage } from '../../../kernel/model/index.ts';
import { termsOf } from './provider-usage.ts';
import { searchesByModel } from './token-bounds.ts';

/** Searches of a request that sets no limit of them. Where an API has a limit, keys with a budget get this one. */
export const UNLIMITED_SEARCHES = 10;

/** Terms that cost less than the list price. */
const DISCOUNTS: ReadonlySet<string> = new Set(['flex', 'batch']);
const MEMBERS: readonly (readonly [member: string, term: Term])[] = [
  ['service_tier', 'serviceTier'],
  ['serviceTier', 'serviceTier'],
  ['speed', 'speed'],
  ['inference_geo', 'inferenceGeo'],
];

/** What a request asks for that has a price besides its tokens. */
export interface AskedCharges {
  /** Without discounts: a provider need not grant them. */
  readonly terms: NonNullable<Usage['terms']>;
  /** The members that set them, as the caller wrote them. */
  readonly members: Readonly<Partial<Record<Term, string>>>;
  /** An upper bound of the searches by tools. */
  readonly searches: number;
  /** Where the tools are that search. */
  readonly searchParam: string | undefined;
  /** The edits that make `searches` a limit at a provider of the same protocol. */
  readonly edits: readonly JsonEdit[];
}

/** What the body of a request asks for. */
export function askedCharges(value: unknown): AskedCharges {
  const body = isObject(value) ? value : {};
  const asked = MEMBERS.flatMap(([member, term]) => {
    const name = termsOf({ [term]: body[member] })?.[term];
    return name === undefined || DISCOUNTS.has(name) ? [] : [{ member, term, name }];
  });
  return {
    terms: Object.fromEntries(asked.map(({ term, name }) => [term, name])),
    members: Object.fromEntries(asked.map(({ term, member }) => [term, member])),
    ...searchTools(body),
  };
}

/** What is charged if the provider reports no terms and no searches. `model`: its name at the provider. */
export function assumedCharges(
  value: unknown,
  { model, choiceCount }: { readonly model: string; readonly choiceCount: number },
): Pick<Usage, 'terms' | 'searches' | 'otherSearches'> {
  const { terms } = askedCharges(value);
  const searches = searchesByModel(model) ? Math.max(1, choiceCount) : 0;
  const isPreview = model.includes('-search-preview');
  return {
    ...(TERMS.some((term) => terms[term] !== undefined) && { terms }),
    ...(searches > 0 && (isPreview ? { otherSearches: searches } : { searches })),
  };
}

type Json = Readonly<Record<string, unknown>>;

/** Google's tools have no type: https://ai.google.dev/api/caching#Tool */
const GOOGLE_SEARCH = /^google_?(?:search(?:_?retrieval)?|maps)$/i;

function searchTools(body: Json): Pick<AskedCharges, 'searches' | 'searchParam' | 'edits'> {
  const tools: unknown[] = Array.isArray(body.tools) ? body.tools : [];
  const found = tools.flatMap((tool, at) => (isObject(tool) && searches(tool) ? [{ at, tool }] : []));
  const [first] = found;
  if (first === undefined) return { searches: 0, searchParam: undefined, edits: [] };
  const searchParam = `tools[${first.at}]`;
  // OpenAI's tools share a limit, Anthropic's have one each.
  if (/^web_search_\d{8}$/.test(String(first.tool.type))) {
    const limits = found.map(({ at, tool }) => limitOf(tool, ['tools', at], 'max_uses'));
    return {
      searches: limits.reduce((sum, { limit }) => sum + limit, 0),
      searchParam,
      edits: limits.flatMap(({ edits }) => edits),
    };
  }
  if (found.every(({ tool }) => typeof tool.type !== 'string'))
    return { searches: UNLIMITED_SEARCHES, searchParam, edits: [] };
  const { limit, edits } = limitOf(body, [], 'max_tool_calls');
  return { searches: limit, searchParam, edits };
}

function searches(tool: Json): boolean {
  if (typeof tool.type === 'string') return /^(?:web_search|x_search)/.test(tool.type);
  return Object.keys(tool).some((name) => GOOGLE_SEARCH.test(name));
}

function limitOf(object: Json, path: readonly (string | number)[], name: string) {
  const value = object[name];
  if (value == null) return { limit: UNLIMITED_SEARCHES, edits: setNumber(object, path, name, UNLIMITED_SEARCHES) };
  // The provider refuses any other value.
  const limit = Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : UNLIMITED_SEARCHES;
  return { limit, edits: [] };
}
