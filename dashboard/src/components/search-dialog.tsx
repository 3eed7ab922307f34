import { Modal, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError } from '../api/client.ts';
import { call } from '../api/operations.ts';
import { useMay } from '../api/session.tsx';
import classes from './search.module.css';
import { directTargets, settingTargets, type Target, traceTargets } from './search-targets.ts';

interface SearchDialogProps {
  /** Pages that the user may open. */
  readonly pages: readonly Target[];
  onClose(): void;
}

/** Finds pages, settings of the policy, the documentation, requests and findings by id, requests by their trace, keys and models by name, sessions and end users. */
export function SearchDialog({ pages, onClose }: SearchDialogProps) {
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(text.trim(), 200);
  const [at, setAt] = useState(0);
  const found = useFound(settled);
  const docs = useDocs(settled);
  const [mayPolicy, mayKeys] = [useMay('putPolicy'), useMay('createKey')];
  const settings = settingTargets(text, mayPolicy, mayKeys);
  // Enter opens the first result: the documentation, which is read sooner, waits for what the API knows.
  const shownDocs = settled === text.trim() && !found.isFetching ? docs : [];
  const targets = [...pagesFor(pages, text), ...settings, ...(found.data ?? []), ...shownDocs];
  const active = Math.min(at, targets.length - 1);

  function go(target: Target | undefined) {
    if (target === undefined) return;
    onClose();
    navigate(target.href);
  }

  function onKey(event: KeyboardEvent) {
    if (event.key === 'Enter') go(targets[active]);
    else if (event.key === 'ArrowDown') setAt(Math.min(active + 1, targets.length - 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(active - 1, 0));
    else return;
    event.preventDefault();
  }

  return (
    <Modal opened onClose={onClose} title="Find" size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      <TextInput
        data-autofocus
        aria-label="Find by id or name"
        placeholder="An id, a key, a model, a session, a setting or words of the docs"
        value={text}
        role="combobox"
        aria-expanded={targets.length > 0}
        aria-controls="search-results"
        aria-activedescendant={targets.length === 0 ? undefined : `search-${active}`}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKey}
      />
      <div id="search-results" role="listbox" aria-label="Results" className={classes.results}>
        {targets.map((target, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active option
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
          <div
            key={`${target.kind}${target.href}`}
            id={`search-${index}`}
            role="option"
            aria-selected={index === active}
            className={classes.result}
            onClick={() => go(target)}
            onPointerMove={() => setAt(index)}
          >
            <span className={classes.kind}>{target.kind}</span> {target.name}
          </div>
        ))}
      </div>
      <div role="status" className={classes.status}>
        {found.error !== null
          ? found.error.message
          : found.isFetching
            ? 'Searching…'
            : settled !== '' && targets.length === 0
              ? 'Nothing found. The headers X-Svc-Request-Id (req_…) and X-Trace-Id of a response have ids that are found.'
              : ''}
      </div>
    </Modal>
  );
}

function pagesFor(pages: readonly Target[], text: string): readonly Target[] {
  const wanted = text.trim().toLowerCase();
  return pages.filter(({ name }) => name.toLowerCase().includes(wanted));
}

const MAX_FOUND = 5;

/** Sections of the documentation. */
function useDocs(text: string): readonly Target[] {
  const found = useQuery({
    queryKey: ['search of the docs', text],
    enabled: text.length > 1,
    queryFn: async () => (await import('../pages/docs/search-docs.ts')).searchDocs(text),
    placeholderData: keepPreviousData,
  });
  return text.length > 1 ? (found.data ?? []).map((one) => ({ kind: 'Docs', ...one })) : [];
}

/** Models with requests in the last week. */
async function findModels(text: string, signal: AbortSignal): Promise<readonly Target[]> {
  const from = new Date(Date.now() - MODELS_OF_MS).toISOString();
  const { groups = [] } = await call('getSummary', { query: { from, groupBy: 'model' }, signal });
  const wanted = text.toLowerCase();
  return groups
    .flatMap(({ group }) => (group?.toLowerCase().includes(wanted) === true ? [group] : []))
    .slice(0, MAX_FOUND)
    .map((name) => ({ kind: 'Model', name, href: `/requests?model=${encodeURIComponent(name)}&range=7d` }));
}
const MODELS_OF_MS = 7 * 86_400_000;

/** What the API knows by this text. Reads few items, whatever the text. */
function useFound(text: string) {
  const isAdmin = useMay('listKeys');
  return useQuery({
    queryKey: ['search', text, isAdmin],
    enabled: text !== '',
    queryFn: async ({ signal }): Promise<readonly Target[]> => {
      const direct = directTargets(text, isAdmin);
      if (direct.length > 0) return direct;
      const [keys, models, session, ofUser] = await Promise.all([
        isAdmin ? call('listKeys', { query: { search: text, limit: MAX_FOUND }, signal }) : { data: [] },
        findModels(text, signal),
        findSession(text, signal),
        call('listRequests', { query: { endUserId: text, limit: 1 }, signal }),
      ]);
      return [
        ...keys.data.map(({ id, name }) => ({ kind: 'Key', name, href: `/keys/${encodeURIComponent(id)}` })),
        ...models,
        ...(session ? [{ kind: 'Session', name: text, href: `/sessions/${encodeURIComponent(text)}` }] : []),
        ...(ofUser.data.length > 0
          ? [{ kind: 'End user', name: text, href: `/requests?endUserId=${encodeURIComponent(text)}&range=7d` }]
          : []),
        ...traceTargets(text),
      ];
    },
  });
}

async function findSession(id: string, signal: AbortSignal): Promise<boolean> {
  try {
    await call('getSession', { params: { id }, signal });
    return true;
  } catch (error) {
    // 400: several keys have a session with this name, among which its page lets the user choose.
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return error.status === 400;
    throw error;
  }
}
