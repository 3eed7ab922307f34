import { Button, Checkbox, Group, Modal, Progress, Stack } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { call, type Page, type Query, retrying, type Threat } from '../../api/client.ts';
import { usePermission } from '../../api/session.tsx';
import { formatExact } from '../../components/format.ts';
import { ActionError } from '../../components/page.tsx';
import { type ExportProgress, exportFindings, readCapture } from './export-findings.ts';

const PAGE_SIZE = 100;

type State =
  | { readonly name: 'asking' }
  | { readonly name: 'running'; readonly progress?: ExportProgress }
  | { readonly name: 'done'; readonly progress: ExportProgress }
  | { readonly name: 'failed'; readonly error: Error };

/** An export and its progress; stops when the dialog closes. */
function useExport(query: Query) {
  const [state, setState] = useState<State>({ name: 'asking' });
  const abort = useRef(new AbortController());
  useEffect(() => {
    abort.current = new AbortController();
    return () => abort.current.abort();
  }, []);

  async function run(withTexts: boolean) {
    const { signal } = abort.current;
    setState({ name: 'running' });
    const source = {
      page: (cursor: string | undefined) =>
        retrying(() =>
          call<Page<Threat>>('GET', '/v1/analytics/threats', { query: { ...query, limit: PAGE_SIZE, cursor }, signal }),
        ),
      capture: (requestId: string) => retrying(() => readCapture(requestId, signal)),
    };
    try {
      for await (const progress of exportFindings(source, withTexts)) {
        if (signal.aborted) return;
        setState(progress.isDone ? { name: 'done', progress } : { name: 'running', progress });
        if (progress.isDone) downloadLines(withTexts ? 'findings-with-texts.jsonl' : 'findings.jsonl', progress.lines);
      }
    } catch (error) {
      if (!signal.aborted) setState({ name: 'failed', error: error as Error });
    }
  }
  return { state, run };
}

/** Exports the findings that match the filters to a file of JSON lines. */
export function ExportDialog({ query, onClose }: { readonly query: Query; readonly onClose: () => void }) {
  const { state, run } = useExport(query);
  const [withTexts, setWithTexts] = useState(false);
  const mayReadTexts = usePermission('admin');
  const isRunning = state.name === 'running';
  const progress = 'progress' in state ? state.progress : undefined;
  return (
    <Modal opened onClose={onClose} title="Export findings" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="md">
        <p>Exports all findings that match the filters, one JSON object per line.</p>
        {mayReadTexts ? (
          <Checkbox
            label="With the text, where it was captured"
            description="Each line has id and text, as npm run scan reads them. Findings without a captured text are left out. The audit log records each read."
            checked={withTexts}
            disabled={isRunning}
            onChange={(event) => setWithTexts(event.currentTarget.checked)}
          />
        ) : null}
        <div role="status">
          {isRunning ? <Progress value={100} animated aria-label="Export is running" mb="xs" /> : null}
          {progress === undefined
            ? null
            : `${formatExact(progress.read)} findings read, ${formatExact(progress.written)} lines${state.name === 'done' ? '. The file is downloaded.' : '…'}`}
        </div>
        <ActionError error={state.name === 'failed' ? state.error : null} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {isRunning ? 'Cancel' : 'Close'}
          </Button>
          <Button onClick={() => void run(withTexts)} loading={isRunning}>
            {state.name === 'done' ? 'Export again' : 'Export'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Downloads a file of these lines without a request to the server. */
function downloadLines(fileName: string, lines: readonly string[]): void {
  const address = URL.createObjectURL(
    new Blob(
      lines.map((line) => `${line}\n`),
      { type: 'application/x-ndjson' },
    ),
  );
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  // The download has started by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
