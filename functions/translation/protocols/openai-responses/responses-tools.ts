import { nameWithDigest } from '../../../kernel/crypto/index.ts';
import { isObject } from '../../../kernel/json/index.ts';
import type { ResponsesTool } from './responses-schema.ts';

/** The longest name of a function that all APIs take. */
const MAX_NAME_CHARS = 64;

/** The name of a tool of a namespace in an API without namespaces, such as `mcp__docs__search`. */
export function flatName(name: string, namespace: string | null | undefined): string {
  // A pattern would try each underscore of a long run as its start.
  let end = namespace?.length ?? 0;
  while (namespace?.[end - 1] === '_') end -= 1;
  const flat = namespace ? `${namespace.slice(0, end)}__${name}` : name;
  return flat.length <= MAX_NAME_CHARS ? flat : nameWithDigest(flat, MAX_NAME_CHARS);
}

/** A tool as the items of a response name it. */
export interface NamedTool {
  readonly name: string;
  readonly namespace?: string;
  /** Its calls have `input`, a text, instead of JSON arguments. */
  readonly takesText: boolean;
}

/** The tools of a request by their names in APIs without namespaces. */
export function toolsByFlatName(tools: readonly ResponsesTool[], namespace?: string): ReadonlyMap<string, NamedTool> {
  const all = new Map<string, NamedTool>();
  for (const { type, name, tools: inside } of tools) {
    if (typeof name !== 'string') continue;
    if (type === 'namespace' && Array.isArray(inside)) {
      for (const [flat, tool] of toolsByFlatName(inside.filter(isObject) as ResponsesTool[], name)) all.set(flat, tool);
    } else if (type === 'function' || type === 'custom') {
      const takesText = type === 'custom';
      all.set(flatName(name, namespace), { name, takesText, ...(namespace !== undefined && { namespace }) });
    }
  }
  return all;
}
