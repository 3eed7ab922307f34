import type { Proposal } from './suggestion-dialog.tsx';
import type { Tool } from './tool-parts.tsx';

type Argument = Tool['arguments'][number];

const MAX_ID_CHARS = 64;

/** Whether a rule can name a tool and an argument: unusual names are `*` in records, and no schema keeps a member `__proto__`. */
export function canBeNamed(tool: string, argument: string): boolean {
  return isUsual(tool) && isUsual(argument) && argument !== '__proto__';
}

/** A rule for an argument: it flags values that neither the user or the operator wrote, nor a tool whose results the policy trusts. Places that only flagged or held calls had are left out. */
export function draftRule(
  tool: string,
  { argument, sources }: Pick<Argument, 'argument' | 'sources'>,
): Proposal['adds'] {
  const fields = sources.flatMap(({ as, tool: name, field, source, isOnlyFlagged }) => {
    const isTrusted = as === 'field' && source === 'trusted' && !isOnlyFlagged;
    const isNamed = name !== null && isUsual(name) && !name.includes('.');
    return isTrusted && isNamed && field !== '' && isUsual(field) ? [`field:${name}.${field}`] : [];
  });
  const name = `${tool}-${argument}`.toLowerCase().replace(/[^a-z0-9_]+/g, '-');
  const id = name.replace(/^[-_]+|-+$/g, '').slice(0, MAX_ID_CHARS);
  return { rules: [{ id, tool, action: 'flag', args: { [argument]: { from: ['user', 'system', ...fields] } } }] };
}

function isUsual(path: string): boolean {
  return !path.replaceAll('[*]', '').includes('*');
}
