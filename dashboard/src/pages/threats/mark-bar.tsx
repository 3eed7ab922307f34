import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { Mark, Threat } from '../../api/client.ts';
import { call, pathTo } from '../../api/operations.ts';
import { BulkBar } from '../../components/bulk-bar.tsx';
import { formatExact } from '../../components/format.ts';
import { useEach } from '../../components/run-each.ts';
import { MARK_NAMES } from './finding-parts.tsx';

interface MarkBarProps {
  readonly threats: readonly Threat[];
  onClear(): void;
}

interface Wanted {
  readonly id: string;
  readonly mark: Mark | null;
}

const CHOICES = [...(Object.entries(MARK_NAMES) as [Mark, string][]), [null, 'Remove the mark']] as const;

/** Marks several findings at once; each mark is in the audit log. */
export function MarkBar({ threats, onClear }: MarkBarProps) {
  const client = useQueryClient();
  const marking = useEach(
    ({ id, mark }: Wanted) => call('markThreat', { params: { id }, body: { mark } }),
    async ({ failed }) => {
      await client.invalidateQueries({ queryKey: [pathTo('listThreats')] });
      if (failed.length === 0) onClear();
    },
  );
  const failed = marking.data?.failed ?? [];
  return (
    <BulkBar count={threats.length} noun="finding" onClear={onClear}>
      {CHOICES.map(([mark, name]) => (
        <Button
          key={name}
          size="xs"
          variant="default"
          loading={marking.isPending && marking.variables[0]?.mark === mark}
          disabled={marking.isPending}
          onClick={() => marking.mutate(threats.filter((one) => one.mark !== mark).map(({ id }) => ({ id, mark })))}
        >
          {name}
        </Button>
      ))}
      {marking.isPending ? <span role="status">{formatExact(marking.count)} done</span> : null}
      {failed.length === 0 ? null : (
        <span role="alert">
          {formatExact(failed.length)} unchanged: {failed[0]?.[1].message}
        </span>
      )}
    </BulkBar>
  );
}
