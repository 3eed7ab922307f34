import { Alert, Button, Group, Stack, Tabs, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError, callWithHeaders, type PolicyVersionView } from '../../api/client.ts';
import { formatFullTime } from '../../components/format.ts';
import { ActionError, ErrorState, Loading, Page, Panel } from '../../components/page.tsx';
import { GeneralFields, TypeFields } from './general-fields.tsx';
import classes from './policy.module.css';
import { readSettings, type Settings, textOf, writeSettings } from './policy-settings.ts';
import { RuleFields } from './rule-fields.tsx';
import { Versions } from './versions.tsx';

const POLICY_PATH = '/v1/admin/policy';

interface Current {
  readonly policy: PolicyVersionView;
  readonly etag: string;
}

async function readCurrent(signal?: AbortSignal): Promise<Current> {
  const { data, headers } = await callWithHeaders<PolicyVersionView>(
    'GET',
    POLICY_PATH,
    signal === undefined ? {} : { signal },
  );
  return { policy: data, etag: headers.get('etag') ?? `"${data.version}"` };
}

async function putPolicy(body: Settings | undefined, etag: string): Promise<Current> {
  const { data, headers } = await callWithHeaders<PolicyVersionView>('PUT', POLICY_PATH, {
    body,
    headers: { 'If-Match': etag },
  });
  return { policy: data, etag: headers.get('etag') ?? `"${data.version}"` };
}

export default function PolicyPage() {
  const query = useQuery({
    queryKey: [POLICY_PATH],
    queryFn: ({ signal }) => readCurrent(signal),
    refetchOnMount: 'always',
    gcTime: 0,
  });
  return (
    <Page title="Policy" intro="What counts for every key that does not say otherwise.">
      {query.data === undefined ? (
        query.error === null ? (
          <Loading label="Loading the policy" />
        ) : (
          <ErrorState error={query.error} retry={() => void query.refetch()} />
        )
      ) : (
        <Editor begin={query.data} />
      )}
    </Page>
  );
}

/** The policy that is being changed, and saving it in the place of the version that it was made from. */
function useEditor(begin: Current) {
  const client = useQueryClient();
  // What the text was made from: the version that is put in the place of.
  const [base, setBase] = useState(begin);
  const [text, setText] = useState(() => textOf(begin.policy));
  const [generation, setGeneration] = useState(0);
  const settings = readSettings(text);
  const isChanged = text !== textOf(base.policy);

  /** Another text altogether: fields that keep what is typed begin anew. */
  function load(next: string) {
    setText(next);
    setGeneration(generation + 1);
  }

  const saving = useMutation({
    mutationFn: (etag: string) => putPolicy(settings, etag),
    onSuccess: async (saved) => {
      setBase(saved);
      load(textOf(saved.policy));
      await client.invalidateQueries({ queryKey: [`${POLICY_PATH}/versions`] });
    },
  });
  /** Begins anew from this version: what was typed is lost. */
  function takeOver(current: Current) {
    setBase(current);
    load(textOf(current.policy));
    saving.reset();
  }

  return { base, setBase, text, setText, generation, load, takeOver, settings, isChanged, saving };
}

function Editor({ begin }: { readonly begin: Current }) {
  const { base, setBase, text, setText, generation, load, takeOver, settings, isChanged, saving } = useEditor(begin);
  const { createdAt, version } = base.policy;
  const { error } = saving;
  const isConflict = error instanceof ApiError && error.status === 412;
  const fault =
    error instanceof ApiError && error.status === 400 ? { param: error.param, message: error.message } : undefined;

  return (
    <>
      <Panel
        title={`Version ${version}`}
        note={createdAt === null ? 'What a deployment begins with' : `Since ${formatFullTime(createdAt)}`}
      >
        <Stack gap="md">
          <EditorTabs key={generation} settings={settings} text={text} fault={fault} onText={setText} />
          {isConflict ? (
            <Conflict
              onLoaded={takeOver}
              onOverwrite={(current) => {
                setBase(current);
                saving.mutate(current.etag);
              }}
            />
          ) : (
            <ActionError error={error} title="Not saved" />
          )}
          <EditorActions
            text={text}
            canSave={settings !== undefined && isChanged}
            canTry={settings !== undefined}
            isChanged={isChanged}
            isSaving={saving.isPending}
            onSave={() => saving.mutate(base.etag)}
            onUndo={() => takeOver(base)}
            said={
              saving.isSuccess && !isChanged
                ? `Saved as version ${version}; it counts everywhere within 30 seconds.`
                : ''
            }
          />
        </Stack>
      </Panel>
      <Versions current={version} onLoad={load} />
    </>
  );
}

interface EditorTabsProps {
  /** undefined where the text is no JSON object. */
  readonly settings: Settings | undefined;
  readonly text: string;
  /** What the server found wrong, and where. */
  readonly fault: { readonly param: string | undefined; readonly message: string } | undefined;
  onText(text: string): void;
}

function EditorTabs({ settings, text, fault, onText }: EditorTabsProps) {
  return (
    <Tabs defaultValue="general" keepMounted={false}>
      <Tabs.List>
        <Tabs.Tab value="general">General</Tabs.Tab>
        <Tabs.Tab value="types">Types of threat</Tabs.Tab>
        <Tabs.Tab value="rules">Own rules</Tabs.Tab>
        <Tabs.Tab value="json">JSON</Tabs.Tab>
      </Tabs.List>
      {settings === undefined ? (
        ['general', 'types', 'rules'].map((tab) => (
          <Tabs.Panel key={tab} value={tab} pt="md">
            <p>The text under JSON is no JSON object. Mend it there first.</p>
          </Tabs.Panel>
        ))
      ) : (
        <>
          <Tabs.Panel value="general" pt="md">
            <GeneralFields settings={settings} onChange={(next) => onText(writeSettings(next))} />
          </Tabs.Panel>
          <Tabs.Panel value="types" pt="md">
            <TypeFields settings={settings} onChange={(next) => onText(writeSettings(next))} />
          </Tabs.Panel>
          <Tabs.Panel value="rules" pt="md">
            <RuleFields settings={settings} fault={fault} onChange={(next) => onText(writeSettings(next))} />
          </Tabs.Panel>
        </>
      )}
      <Tabs.Panel value="json" pt="md">
        <Textarea
          label="The whole policy, as JSON"
          description="Allowances, banned topics, budgets of tags and a shadow policy too: docs/policies.md"
          value={text}
          onChange={(event) => onText(event.currentTarget.value)}
          error={settings === undefined ? 'This is not a JSON object.' : undefined}
          rows={18}
          spellCheck={false}
          classNames={{ input: classes.code ?? '' }}
        />
      </Tabs.Panel>
    </Tabs>
  );
}

interface EditorActionsProps {
  readonly text: string;
  readonly canSave: boolean;
  readonly canTry: boolean;
  readonly isChanged: boolean;
  readonly isSaving: boolean;
  /** What came of saving. */
  readonly said: string;
  onSave(): void;
  onUndo(): void;
}

function EditorActions({ text, canSave, canTry, isChanged, isSaving, said, onSave, onUndo }: EditorActionsProps) {
  const [, go] = useLocation();
  return (
    <Group gap="sm">
      <Button onClick={onSave} loading={isSaving} disabled={!canSave}>
        Save
      </Button>
      <Button variant="default" disabled={!isChanged} onClick={onUndo}>
        Undo changes
      </Button>
      <Button variant="default" disabled={!canTry} onClick={() => go('/replay', { state: { policy: text } })}>
        Try it on the past
      </Button>
      <span role="status">{said}</span>
    </Group>
  );
}

interface ConflictProps {
  onLoaded(current: Current): void;
  onOverwrite(current: Current): void;
}

/** Somebody else saved meanwhile: nothing is overwritten unless the reader says so. */
function Conflict({ onLoaded, onOverwrite }: ConflictProps) {
  const reading = useMutation({
    mutationFn: async (then: (current: Current) => void) => then(await readCurrent()),
  });
  return (
    <Alert color="yellow" role="alert" title="Somebody else saved another version meanwhile">
      <Stack gap="sm">
        <p>Yours was not saved. Take theirs and lose your changes, or put yours in the place of theirs.</p>
        <Group gap="sm">
          <Button size="sm" variant="default" onClick={() => reading.mutate(onLoaded)}>
            Load theirs
          </Button>
          <Button size="sm" color="red" onClick={() => reading.mutate(onOverwrite)}>
            Put mine in its place
          </Button>
        </Group>
        <ActionError error={reading.error} />
      </Stack>
    </Alert>
  );
}
