import { Button, Checkbox, Group, Modal, NativeSelect, Progress, Stack } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { ListId, RowOf } from '../../../functions/contract/index.ts';
import { type Query, retrying } from '../api/client.ts';
import type { CallOptions } from '../api/operations.ts';
import { readPage } from '../api/queries.ts';
import { formatExact } from './format.ts';
import { ActionError } from './page.tsx';

/** Another content of the export, offered as a checkbox. */
interface Extra<T> {
  readonly label: string;
  readonly description: string;
  /** Ends the file's name. */
  readonly suffix: string;
  /** The lines for a page of rows. */
  lines(rows: readonly T[], signal: AbortSignal): Promise<readonly string[]>;
}

interface ExportDialogProps<Id extends ListId> {
  readonly title: string;
  readonly intro: string;
  readonly id: Id;
  readonly query: Query;
  /** Begins the file's name. */
  readonly name: string;
  /** Offers CSV too. */
  readonly csv?: { readonly head: string; lines(rows: readonly RowOf<Id>[]): Promise<readonly string[]> };
  readonly extra?: Extra<RowOf<Id>> | undefined;
  onClose(): void;
}

interface Counts {
  readonly read: number;
  readonly written: number;
}

type State =
  | { readonly name: 'asking' }
  | ({ readonly name: 'running' | 'done' } & Counts)
  | { readonly name: 'failed'; readonly error: Error };

/** Exports all rows of a list to a file of JSON lines or CSV. Stops when it closes. */
export function ExportDialog<Id extends ListId>(props: ExportDialogProps<Id>) {
  const { title, intro, csv, extra, onClose } = props;
  const [state, setState] = useState<State>({ name: 'asking' });
  const [format, setFormat] = useState('jsonl');
  const [hasExtra, setExtra] = useState(false);
  const abort = useRef(new AbortController());
  useEffect(() => {
    abort.current = new AbortController();
    return () => abort.current.abort();
  }, []);

  async function run() {
    const { signal } = abort.current;
    setState({ name: 'running', read: 0, written: 0 });
    try {
      const file = await writeFile(props, format, hasExtra, signal, (counts) =>
        setState({ name: 'running', ...counts }),
      );
      if (signal.aborted) return;
      download(file.name, file.lines, format);
      setState({ name: 'done', read: file.read, written: file.lines.length - (format === 'csv' ? 1 : 0) });
    } catch (error) {
      if (!signal.aborted) setState({ name: 'failed', error: error as Error });
    }
  }

  const isRunning = state.name === 'running';
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="md">
        <p>{intro}</p>
        {csv === undefined ? null : (
          <NativeSelect
            label="Format"
            data={[
              { value: 'jsonl', label: 'JSON lines: records as in the API' },
              { value: 'csv', label: 'CSV: for spreadsheets' },
            ]}
            value={format}
            disabled={isRunning}
            onChange={(event) => setFormat(event.currentTarget.value)}
          />
        )}
        {extra === undefined ? null : (
          <Checkbox
            label={extra.label}
            description={extra.description}
            checked={hasExtra}
            disabled={isRunning}
            onChange={(event) => setExtra(event.currentTarget.checked)}
          />
        )}
        <div role="status">
          {isRunning ? <Progress value={100} animated aria-label="Export is running" mb="xs" /> : null}
          {'read' in state
            ? `${formatExact(state.read)} read, ${formatExact(state.written)} written${state.name === 'done' ? '. The file is downloaded.' : '…'}`
            : null}
        </div>
        <ActionError error={state.name === 'failed' ? state.error : null} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {isRunning ? 'Cancel' : 'Close'}
          </Button>
          <Button onClick={() => void run()} loading={isRunning}>
            {state.name === 'done' ? 'Export again' : 'Export'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

async function writeFile<Id extends ListId>(
  { id, query, name, csv, extra }: ExportDialogProps<Id>,
  format: string,
  hasExtra: boolean,
  signal: AbortSignal,
  onProgress: (counts: Counts) => void,
): Promise<{ readonly name: string; readonly lines: readonly string[]; readonly read: number }> {
  const isCsv = csv !== undefined && format === 'csv';
  const lines: string[] = isCsv ? [csv.head] : [];
  let read = 0;
  let cursor: string | undefined;
  do {
    const page = await retrying(() => readPage(id, { query, signal } as unknown as CallOptions<Id>, cursor));
    read += page.data.length;
    if (isCsv) lines.push(...(await csv.lines(page.data)));
    else if (hasExtra && extra !== undefined) lines.push(...(await extra.lines(page.data, signal)));
    else lines.push(...page.data.map((row) => JSON.stringify(row)));
    cursor = page.nextCursor ?? undefined;
    onProgress({ read, written: lines.length - (isCsv ? 1 : 0) });
  } while (cursor !== undefined && !signal.aborted);
  const suffix = hasExtra && !isCsv ? (extra?.suffix ?? '') : '';
  return { name: `${name}${suffix}.${isCsv ? 'csv' : 'jsonl'}`, lines, read };
}

/** Downloads a file of these lines without a request to the server. */
function download(fileName: string, lines: readonly string[], format: string): void {
  const end = format === 'csv' ? '\r\n' : '\n';
  const type = format === 'csv' ? 'text/csv' : 'application/x-ndjson';
  const address = URL.createObjectURL(
    new Blob(
      lines.map((line) => line + end),
      { type },
    ),
  );
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  // The download has started by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
