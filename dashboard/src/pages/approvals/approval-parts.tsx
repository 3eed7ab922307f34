import type { RowOf } from '../../../../functions/contract/index.ts';
import { choicesOf } from '../../components/labels.ts';
import { filterOf } from '../../components/list-filters.ts';
import { StateTag } from '../../components/tag.tsx';

export const STATE_FILTER = filterOf('listApprovals', 'state');
const NAMES = new Map(choicesOf(STATE_FILTER).map(({ value, label }) => [value, label]));

export function ApprovalState({ state }: { readonly state: RowOf<'listApprovals'>['state'] }) {
  return <StateTag state={NAMES.get(state) ?? state} />;
}
