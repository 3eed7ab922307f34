import { Stack, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError, type PolicyScores, type PolicyVersionView } from '../../api/client.ts';
import { pathTo } from '../../api/operations.ts';
import { reading, usePagedList } from '../../api/queries.ts';
import type { Column } from '../../components/data-table.tsx';
import { DocumentVersions } from '../../components/document-versions.tsx';
import { formatExact, formatFullTime, NOTHING } from '../../components/format.ts';
import { ActionError, ErrorState, Page, Panel } from '../../components/page.tsx';
import { Placeholder } from '../../components/placeholder.tsx';
import { OverridePanel } from '../../components/status-banner.tsx';
import { type Current, putPolicy, readCurrent, rollBack } from './current-policy.ts';
import { Conflict, EditorActions } from './editor-actions.tsx';
import { EffectiveView } from './effective-view.tsx';
import { GeneralFields } from './general-fields.tsx';
import { Impact } from './impact.tsx';
import { Part, PartLinks, type Parts, useParts } from './parts.tsx';
import classes from './policy.module.css';
import { faultPlace, readSettings, type Settings, textOf, withSetting, writeSettings } from './policy-settings.ts';
import { PresetsTable } from './presets-table.tsx';
import { RolloutPanel } from './rollout.tsx';
import { RuleFields } from './rule-fields.tsx';
import { ToolFields } from './tool-fields.tsx';
import { type ToolAdditions, withAdditions } from './tool-settings.ts';
import { TypeFields } from './type-fields.tsx';
import { UnmatchedRules } from './unmatched-rules.tsx';

export default function PolicyPage() {
  const query = useQuery({
    queryKey: [pathTo('getPolicy')],
    queryFn: ({ signal }) => readCurrent(signal),
    refetchOnMount: 'always',
    gcTime: 0,
  });
  return (
    <Page
      docs="policies.md"
      title="Policy"
      intro="The deployment policy. It applies to all keys; a key's own settings override it."
    >
      {query.data === undefined ? (
        query.error === null ? (
          <Panel>
            <Placeholder label="Loading the policy" lines={12} />
          </Panel>
        ) : (
          <ErrorState error={query.error} retry={() => void query.refetch()} />
        )
      ) : (
        <Editor begin={query.data} />
      )}
      <OverridePanel />
    </Page>
  );
}

/** An edit that was not saved when the page was left; in memory only. */
let draft: { readonly version: number; readonly text: string } | undefined;

/** Changes of `tools` that another page passed with the navigation; empty if it passed none. */
function givenAdditions(): readonly ToolAdditions[] {
  const state: unknown = window.history.state;
  const given = typeof state === 'object' && state !== null && 'adds' in state ? state.adds : undefined;
  return Array.isArray(given) ? (given as ToolAdditions[]) : [];
}

/** The text to edit: the draft if it is of this version, else the policy, with what another page adds. */
function textToEdit({ policy }: Current, additions: readonly ToolAdditions[]): string {
  const text = draft?.version === policy.version ? draft.text : textOf(policy);
  const settings = readSettings(text);
  return settings === undefined || additions.length === 0 ? text : writeSettings(withAdditions(settings, additions));
}

/** The edited policy and its saving, which replaces the version that the edit started from. */
function useEditor(begin: Current, additions: readonly ToolAdditions[]) {
  const client = useQueryClient();
  // The version that the edit started from and that saving replaces.
  const [base, setBase] = useState(begin);
  const [text, setText] = useState(() => textToEdit(begin, additions));
  const [generation, setGeneration] = useState(0);
  const settings = readSettings(text);
  const isChanged = text !== textOf(base.policy);
  useEffect(() => {
    draft = isChanged ? { version: base.policy.version, text } : undefined;
  }, [isChanged, base, text]);

  /** Replaces the text and resets fields with local state. */
  function load(next: string) {
    setText(next);
    setGeneration(generation + 1);
  }

  const saving = useMutation({
    mutationFn: (etag: string) => putPolicy(settings, etag),
    // What was sent, which an error refers to; the user may edit on.
    onMutate: () => settings,
    onSuccess: async (saved) => {
      setBase(saved);
      load(textOf(saved.policy));
      await client.invalidateQueries({ queryKey: [pathTo('listPolicyVersions')] });
    },
  });
  /** Restarts from this version and discards changes. */
  function takeOver(current: Current) {
    setBase(current);
    load(textOf(current.policy));
    saving.reset();
  }

  /** Takes over what was written elsewhere, such as a roll-out. */
  async function refresh(current: Current) {
    takeOver(current);
    await client.invalidateQueries({ queryKey: [pathTo('listPolicyVersions')] });
    await client.invalidateQueries({ queryKey: [pathTo('getRollout')] });
  }

  return { base, setBase, text, setText, generation, load, takeOver, refresh, settings, isChanged, saving };
}

/** It was never saved, so the API does not list it. */
const INITIAL: PolicyVersionView = { object: 'policy', version: 0, createdAt: null, createdBy: null };
const COLUMNS: readonly Column<PolicyVersionView>[] = [
  {
    header: 'Roll-out',
    widthPx: 90,
    isWideOnly: true,
    cell: ({ rollout }) => (rollout === undefined ? NOTHING : `${rollout.percent} %`),
  },
];

function Editor({ begin }: { readonly begin: Current }) {
  const [additions] = useState(givenAdditions);
  // A reload of the page must not add them again.
  useEffect(() => window.history.replaceState(null, ''), []);
  const editor = useEditor(begin, additions);
  const { base, setBase, text, setText, generation, load, takeOver, refresh, settings, isChanged, saving } = editor;
  const { createdAt, version } = base.policy;
  const versions = usePagedList('listPolicyVersions', {});
  const saved = readSettings(textOf(base.policy)) ?? {};
  const scores = useScores();
  // Here, since a load resets the fields.
  const parts = useParts(additions.length > 0 ? 'tools' : undefined);
  const [restored, setRestored] = useState<number>();
  const [, go] = useLocation();
  const client = useQueryClient();
  const { error } = saving;
  const isConflict = error instanceof ApiError && error.status === 412;
  const fault =
    error instanceof ApiError && error.status === 400 ? { param: error.param, message: error.message } : undefined;
  const place = faultPlace(saving.context ?? {}, fault?.param);

  return (
    <>
      <RolloutPanel onEnded={async () => refresh(await readCurrent())} />
      <Panel
        title={`Version ${version}`}
        note={createdAt === null ? 'Initial policy' : `Since ${formatFullTime(createdAt)}`}
      >
        <Stack gap="md">
          <EditorParts
            key={generation}
            parts={parts}
            settings={settings}
            saved={saved}
            text={text}
            version={version}
            scores={scores.data}
            scoresError={scores.error}
            fault={
              fault && { ...fault, message: place === undefined ? fault.message : `In ${place}: ${fault.message}` }
            }
            onText={setText}
          />
          {settings === undefined || !isChanged ? null : (
            <Impact
              saved={saved}
              draft={settings}
              scores={scores.data}
              onOpenReplay={() => go('/replay', { state: { policy: text } })}
            />
          )}
          {isConflict ? (
            <Conflict
              onLoaded={takeOver}
              onOverwrite={(current) => {
                setBase(current);
                saving.mutate(current.etag);
              }}
            />
          ) : (
            <ActionError error={error} title={place === undefined ? 'Not saved' : `Not saved: ${place}`} />
          )}
          {saving.isSuccess && !isChanged ? <UnmatchedRules saved={saved} /> : null}
          <EditorActions
            text={text}
            canSave={settings !== undefined && isChanged}
            canTry={settings !== undefined}
            isChanged={isChanged}
            isSaving={saving.isPending}
            onSave={() => {
              setRestored(undefined);
              saving.mutate(base.etag);
            }}
            onRollOut={async (body) => refresh(await putPolicy(body, base.etag))}
            settings={settings}
            runsRollout={base.policy.rollout !== undefined}
            onUndo={() => takeOver(base)}
            said={
              isChanged || !(saving.isSuccess || restored !== undefined)
                ? ''
                : `${restored === undefined ? 'Saved' : `Version ${restored} is restored`} as version ${version}. It takes effect within 10 seconds.`
            }
          />
        </Stack>
      </Panel>
      <DocumentVersions
        list={versions}
        current={version}
        columns={COLUMNS}
        initial={INITIAL}
        knowsInitial
        initialNote="The initial policy: every value has its default."
        textOf={textOf}
        onLoad={load}
        onRollBack={async (to) => {
          takeOver(await rollBack(to, base.etag));
          setRestored(to);
          await client.invalidateQueries({ queryKey: [pathTo('listPolicyVersions')] });
        }}
      />
    </>
  );
}

/** Scores of the last week; the editor works without them. */
function useScores() {
  return useQuery({ ...reading('getPolicyScores', {}), staleTime: 300_000 });
}

interface EditorPartsProps {
  readonly parts: Parts;
  /** undefined if the text is not a JSON object. */
  readonly settings: Settings | undefined;
  /** The policy before the edit. */
  readonly saved: Settings;
  readonly text: string;
  /** The saved version, for what is in force. */
  readonly version: number;
  readonly scores: PolicyScores | undefined;
  readonly scoresError: Error | null;
  /** The server's error and its field. */
  readonly fault: { readonly param: string | undefined; readonly message: string } | undefined;
  onText(text: string): void;
}

function EditorParts(props: EditorPartsProps) {
  const { parts, settings, saved, text, version, scores, scoresError, fault, onText } = props;
  const onChange = (next: Settings) => onText(writeSettings(next));
  return (
    <div className={classes.parts}>
      <PartLinks parts={parts} />
      {settings === undefined ? (
        <p>The text under JSON is not a JSON object. Correct it there first.</p>
      ) : (
        <>
          <Part id="general">
            <GeneralFields settings={settings} onChange={onChange} />
          </Part>
          <Part id="types">
            <ScoresNote scores={scores} error={scoresError} />
            <TypeFields settings={settings} saved={saved} scores={scores} onChange={onChange} />
          </Part>
          <Part id="rules">
            <RuleFields settings={settings} fault={fault} onChange={onChange} />
          </Part>
          <Part id="tools">
            <ToolFields settings={settings} fault={fault} onChange={onChange} />
          </Part>
          <Part id="presets" parts={parts}>
            <PresetsTable
              settings={settings}
              onChoose={(preset) => onChange(withSetting(settings, ['preset'], preset))}
            />
          </Part>
        </>
      )}
      <Part id="json" parts={parts}>
        <Textarea
          label="Full policy as JSON"
          description="Includes the allow list, banned topics, tag budgets and a shadow policy."
          value={text}
          onChange={(event) => onText(event.currentTarget.value)}
          error={settings === undefined ? 'This is not a JSON object.' : undefined}
          rows={18}
          spellCheck={false}
          classNames={{ input: classes.code ?? '' }}
        />
      </Part>
      <Part id="effective" parts={parts}>
        <EffectiveView key={version} />
      </Part>
    </div>
  );
}

interface ScoresNoteProps {
  readonly scores: PolicyScores | undefined;
  readonly error: Error | null;
}

function ScoresNote({ scores, error }: ScoresNoteProps) {
  return (
    <p className={classes.scoresNote}>
      {scores === undefined
        ? error === null
          ? 'Loading the scores of last week…'
          : `The scores of last week cannot be shown: ${error.message}`
        : `The bars show the scores of findings in the last 7 days${scores.isCut ? `, of the newest ${formatExact(scores.requests)} requests with findings` : ''}. Drag a slider to change from which score the action applies.`}
    </p>
  );
}
