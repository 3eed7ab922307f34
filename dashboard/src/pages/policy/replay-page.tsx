import { Button, Checkbox, Group, NativeSelect, Radio, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { Action, PolicyReplay, PolicyVersionView } from '../../api/client.ts';
import { call, pathTo } from '../../api/operations.ts';
import { useKeyNames } from '../../api/queries.ts';
import { formatExact, formatFullTime, formatTime } from '../../components/format.ts';
import { ACTION_NAMES, ACTIONS, ruleName, threatName } from '../../components/labels.ts';
import { ActionError, Empty, ErrorState, Page, Panel, Tiles } from '../../components/page.tsx';
import { Placeholder } from '../../components/placeholder.tsx';
import { ActionTag } from '../../components/tag.tsx';
import { RANGES, type RangeName } from '../../components/url-state.ts';
import classes from './policy.module.css';
import { textOf } from './policy-settings.ts';
import { type ReplayScope, replayAll, type WantedReplay } from './run-replay.ts';

/** The text that the policy editor passed with the navigation. */
function givenPolicy(): string | undefined {
  const state: unknown = window.history.state;
  const given = typeof state === 'object' && state !== null && 'policy' in state ? state.policy : undefined;
  return typeof given === 'string' ? given : undefined;
}

/** Shows what a policy would have decided for past requests; changes nothing. */
export default function ReplayPage() {
  const [soFar, setSoFar] = useState<PolicyReplay>();
  const abort = useRef<AbortController>(undefined);
  const [given] = useState(givenPolicy);
  const current = useQuery({
    queryKey: [pathTo('getPolicy'), 'replay'],
    queryFn: async ({ signal }) => (await call('getPolicy', { signal })) as PolicyVersionView,
    enabled: given === undefined,
    // The user edits the text that it begins with.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const begin = given ?? (current.data && textOf({ ...current.data, preset: 'strict' }));

  const replaying = useMutation({
    mutationFn: async (wanted: WantedReplay) => {
      abort.current = new AbortController();
      setSoFar(undefined);
      await replayAll(wanted, abort.current.signal, setSoFar);
    },
  });

  return (
    <Page
      docs="policies.md#replay-a-policy-on-past-requests"
      title="Replay a policy"
      intro={
        <>
          Shows what a policy would have decided for past requests. Nothing changes.{' '}
          <Link href="/policy">Back to the policy</Link>, where an edit that was not saved is kept.
        </>
      }
    >
      <Panel>
        {begin !== undefined ? (
          <ReplayForm
            begin={begin}
            beginNote={
              given === undefined
                ? "Starts as the deployment policy in force with preset strict. The policy's own settings and rules are kept."
                : 'Starts as the policy in the editor.'
            }
            isPending={replaying.isPending}
            error={replaying.error}
            onSubmit={(wanted) => replaying.mutate(wanted)}
            onStop={() => abort.current?.abort()}
          />
        ) : current.error === null ? (
          <Placeholder label="Loading the policy" lines={8} />
        ) : (
          <ErrorState error={current.error} retry={() => void current.refetch()} />
        )}
      </Panel>
      <div role="status">
        {replaying.isPending ? <p>{formatExact(soFar?.requests ?? 0)} requests replayed so far…</p> : null}
      </div>
      {soFar === undefined ? null : <Result replay={soFar} />}
    </Page>
  );
}

interface ReplayFormProps {
  readonly begin: string;
  readonly beginNote: string;
  readonly isPending: boolean;
  readonly error: Error | null;
  onSubmit(wanted: WantedReplay): void;
  onStop(): void;
}

function ReplayForm({ begin, beginNote, isPending, error, onSubmit, onStop }: ReplayFormProps) {
  const [policy, setPolicy] = useState(begin);
  const [scope, setScope] = useState<ReplayScope>({ as: 'deployment', range: '24h', keyId: '', texts: false });
  const parsed = parse(policy);

  function submit(event: FormEvent) {
    event.preventDefault();
    if ('value' in parsed)
      onSubmit({ ...scope, policy: parsed.value as WantedReplay['policy'], keyId: scope.keyId.trim() });
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Textarea
          label="Policy as JSON"
          description={beginNote}
          value={policy}
          onChange={(event) => setPolicy(event.currentTarget.value)}
          error={'fault' in parsed ? parsed.fault : undefined}
          autosize={false}
          rows={12}
          spellCheck={false}
          classNames={{ input: classes.code ?? '' }}
        />
        <ScopeFields scope={scope} onChange={(changes) => setScope({ ...scope, ...changes })} />
        <Group gap="sm">
          <Button type="submit" loading={isPending} disabled={'fault' in parsed}>
            Run replay
          </Button>
          {isPending ? (
            <Button variant="default" onClick={onStop}>
              Stop
            </Button>
          ) : null}
        </Group>
        <ActionError error={error} />
      </Stack>
    </form>
  );
}

interface ScopeFieldsProps {
  readonly scope: ReplayScope;
  onChange(changes: Partial<ReplayScope>): void;
}

/** Which policy the replay replaces, and for which requests. */
function ScopeFields({ scope, onChange }: ScopeFieldsProps) {
  return (
    <>
      <Radio.Group
        label="Apply the policy"
        value={scope.as}
        onChange={(value) => onChange({ as: value as ReplayScope['as'] })}
      >
        <Group gap="lg" pt={6}>
          <Radio value="deployment" label="Instead of the deployment policy" />
          <Radio value="key" label="Instead of the keys' own policies, their rules included" />
        </Group>
      </Radio.Group>
      <Group gap="md" align="flex-end">
        <NativeSelect
          label="Time range"
          data={Object.entries(RANGES).map(([value, { label }]) => ({ value, label }))}
          value={scope.range}
          onChange={(event) => onChange({ range: event.currentTarget.value as RangeName })}
        />
        <TextInput
          label="Key id"
          placeholder="key_…, empty for all"
          value={scope.keyId}
          onChange={(event) => onChange({ keyId: event.currentTarget.value })}
        />
      </Group>
      <Checkbox
        label="Inspect captured texts again"
        description="Only texts captured in full. The audit log records it."
        checked={scope.texts}
        onChange={(event) => onChange({ texts: event.currentTarget.checked })}
      />
    </>
  );
}

function parse(text: string): { readonly value: unknown } | { readonly fault: string } {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { fault: 'This is not JSON.' };
  }
}

function Result({ replay }: { readonly replay: PolicyReplay }) {
  const {
    requests,
    changed,
    changes,
    keys,
    types,
    rules,
    examples,
    callRules = [],
    callExamples = [],
    unknown,
  } = replay;
  const names = useKeyNames([...keys, ...examples, ...callExamples].map(({ keyId }) => keyId));
  if (requests === 0) return <Empty title="No requests with findings in this time range" />;
  return (
    <>
      <ResultTiles replay={replay} />
      {changed === 0 && types.length === 0 ? <Empty title="No decision would have changed" /> : null}
      <div className={classes.tables}>
        <Changes title="Requests" entries={changes.map((one) => ({ ...one, count: one.requests }))} />
        <Changes
          title="By key"
          entries={keys.map((one) => ({ ...one, name: names.get(one.keyId) ?? one.keyId, count: one.requests }))}
        />
        <Changes
          title="Findings by type"
          entries={types.map((one) => ({ ...one, name: threatName(one.type), count: one.findings }))}
        />
        <Changes
          title="Findings by rule"
          entries={rules.map((one) => ({ ...one, name: ruleName(one), count: one.findings }))}
        />
        <Calls title="Tool calls by rule" entries={callRules.map((one) => ({ ...one, count: one.findings }))} />
        <Changes
          title="Newest requests that differ"
          entries={examples.map((one) => ({
            ...one,
            name: (
              <>
                <Link href={`/requests/${one.requestId}`}>{formatTime(one.time)}</Link>,{' '}
                {names.get(one.keyId) ?? one.keyId}
              </>
            ),
          }))}
        />
        <Calls
          title="Newest tool calls with a finding"
          entries={callExamples.map((one) => ({
            ...one,
            place: (
              <>
                <Link href={`/requests/${one.requestId}`}>{formatTime(one.time)}</Link>,{' '}
                {names.get(one.keyId) ?? one.keyId}: <code>{one.field}</code>
              </>
            ),
          }))}
        />
      </div>
      <Panel title="Limitations" note={`From ${formatFullTime(replay.from)} to ${formatFullTime(replay.to)}`}>
        <ul className={classes.unknown}>
          {unknown.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
          {replay.incomplete === 0 ? null : (
            <li>{formatExact(replay.incomplete)} requests had more findings than their record stores.</li>
          )}
        </ul>
      </Panel>
    </>
  );
}

/** Only requests with findings are decided again, unless a captured text was inspected. */
function ResultTiles({ replay: { requests, fromText, changed, live, replayed } }: { readonly replay: PolicyReplay }) {
  return (
    <Tiles
      tiles={[
        {
          name: 'Replayed requests',
          value: formatExact(requests),
          note:
            fromText === 0
              ? 'only those with findings'
              : `with findings or a captured text; ${formatExact(fromText)} by their text`,
        },
        { name: 'Would differ', value: formatExact(changed) },
        ...ACTIONS.map((action) => ({
          name: ACTION_NAMES[action],
          value: formatExact(replayed[action] ?? 0),
          note: `was ${formatExact(live[action] ?? 0)}`,
        })),
      ]}
    />
  );
}

interface Change {
  /** Absent in a table of totals. */
  readonly name?: ReactNode;
  readonly live: Action;
  readonly replayed: Action;
  /** Absent where each entry is one request. */
  readonly count?: number;
}

function Changes({ title, entries }: { readonly title: string; readonly entries: readonly Change[] }) {
  const [first] = entries;
  if (first === undefined) return null;
  const [hasNames, hasCounts] = [first.name !== undefined, first.count !== undefined];
  return (
    <Panel title={title}>
      <table className={classes.table} aria-label={title}>
        <thead>
          <tr>
            {hasNames ? <th scope="col">{hasCounts ? 'Name' : 'Request'}</th> : null}
            <th scope="col">Was</th>
            <th scope="col">Would be</th>
            {hasCounts ? <th scope="col">Count</th> : null}
          </tr>
        </thead>
        <tbody>
          {/* By index: two requests of one second may have the same entry. */}
          {entries.map((entry, at) => (
            <tr key={at}>
              {hasNames ? <th scope="row">{entry.name}</th> : null}
              <td>
                <ActionTag action={entry.live} />
              </td>
              <td>
                <ActionTag action={entry.replayed} />
              </td>
              {hasCounts ? <td>{formatExact(entry.count ?? 0)}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

interface CallEntry {
  readonly rule: string;
  readonly policyRule?: string | undefined;
  readonly action: Action;
  /** Of one call. */
  readonly place?: ReactNode;
  /** Of several calls. */
  readonly count?: number;
}

/** What the policy would do with tool calls. */
function Calls({ title, entries }: { readonly title: string; readonly entries: readonly CallEntry[] }) {
  const [first] = entries;
  if (first === undefined) return null;
  const hasCounts = first.count !== undefined;
  return (
    <Panel title={title}>
      <table className={classes.table} aria-label={title}>
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">Would be</th>
            <th scope="col">{hasCounts ? 'Count' : 'Call'}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry, at) => (
            <tr key={at}>
              <th scope="row">{ruleName(entry)}</th>
              <td>
                <ActionTag action={entry.action} />
              </td>
              <td>{hasCounts ? formatExact(entry.count ?? 0) : entry.place}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
