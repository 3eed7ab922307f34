import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { RowOf } from '../../../../functions/contract/index.ts';
import { call, pathTo } from '../../api/operations.ts';
import { readPage } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/dialogs.tsx';
import { formatFullTime } from '../../components/format.ts';
import { Placeholder } from '../../components/placeholder.tsx';

type Pin = RowOf<'listKeyTools'>;

interface PinDialogProps {
  readonly keyId: string;
  readonly keyName: string;
  readonly tool: string;
  onClose(): void;
}

/** Shows what differs from the pinned definition of a tool, and accepts it. */
export function PinDialog({ keyId, keyName, tool, onClose }: PinDialogProps) {
  const client = useQueryClient();
  const pin = useQuery({
    queryKey: [pathTo('listKeyTools', { id: keyId }), tool],
    queryFn: ({ signal }) => readPin(keyId, tool, signal),
    staleTime: 0,
  });
  const pending = pin.data?.pending ?? null;
  const accepting = useMutation({
    mutationFn: async () => {
      if (pending === null) return;
      const params = { id: keyId, tool };
      await call('approveKeyTool', { params, body: { digest: pending.digest } });
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: [pathTo('listTools')] });
      onClose();
    },
    onError: () => void pin.refetch(),
  });
  return (
    <ConfirmDialog
      title="Changed definition"
      confirm={pending === null ? 'Close' : 'Accept the change'}
      isPending={accepting.isPending || pin.isPending}
      error={accepting.error ?? pin.error}
      onConfirm={() => (pending === null ? onClose() : accepting.mutate())}
      onClose={onClose}
    >
      {pin.isPending ? (
        <Placeholder label="Loading the change" lines={2} />
      ) : pending === null ? (
        <p>No other definition is pending now.</p>
      ) : (
        <p>
          A request of {keyName} had another definition of <code>{tool}</code> on {formatFullTime(pending.firstSeenAt)}.
          It differs in <code>{pending.fields.join(', ')}</code>. svc stores no texts of definitions: read the new one
          in the agent&apos;s tools or its server. If you accept it, it becomes the pinned one.
        </p>
      )}
    </ConfirmDialog>
  );
}

/** The pin of a tool; null if there is none. */
async function readPin(keyId: string, tool: string, signal: AbortSignal): Promise<Pin | null> {
  let cursor: string | undefined;
  do {
    const page = await readPage('listKeyTools', { params: { id: keyId }, signal }, cursor);
    const found = page.data.find((one) => one.tool === tool);
    if (found !== undefined) return found;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return null;
}
