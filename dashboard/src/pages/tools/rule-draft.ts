import type { Proposal } from './suggestion-dialog.tsx';
import type { Tool } from './tool-parts.tsx';

type Argument = Tool['arguments'][number];

const MAX_ID_CHARS = 64;

/** Whether a rule can name a tool and an argument: unusual names are `*` in records, and no schema keeps a member `__proto__`. */
export function canBeNamed(tool: string, argument: string): boolean {
  return isUsual(tool) && isUsual(argument) && argument !== '__proto__';
}

/** A rule for an argument: the proposal for it, else one that flags values from other places than now, and from prose. */
export function draftRule(
  tool: string,
  { argument, sources }: Pick<Argument, 'argument' | 'sources'>,
  proposals: readonly Proposal[],
): Proposal['adds'] {
  const proposal = proposals.find((one) => one.tool === tool && one.argument === argument);
  if (proposal !== undefined) return proposal.adds;
  const fields = sources.flatMap(({ as, tool: source, field }) => {
    const isNamed = as === 'field' && source !== null && isUsual(source) && !source.includes('.');
    return isNamed && field !== '' && isUsual(field) ? [`field:${source}.${field}`] : [];
  });
  const name = `${tool}-${argument}`.toLowerCase().replace(/[^a-z0-9_]+/g, '-');
  const id = name.replace(/^[-_]+|-+$/g, '').slice(0, MAX_ID_CHARS);
  return { rules: [{ id, tool, action: 'flag', args: { [argument]: { from: ['user', 'system', ...fields] } } }] };
}

function isUsual(path: string): boolean {
  return !path.replaceAll('[*]', '').includes('*');
}
