import { Button, Group, Modal, Stack, Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { ApiError } from '../../api/client.ts';
import { type FormField, OPERATIONS, pathTo } from '../../api/operations.ts';
import { reading, useRecord } from '../../api/queries.ts';
import { useMay } from '../../api/session.tsx';
import { type Form, type FormFault, toBody, toForm } from '../../components/field-form.ts';
import { FormFields } from '../../components/form-fields.tsx';
import { formatMs } from '../../components/format.ts';
import { ruleName, threatName } from '../../components/labels.ts';
import { ActionError, Facts } from '../../components/page.tsx';
import { ActionTag, SeverityText } from '../../components/tag.tsx';
import { MarkedText } from '../../components/text-box.tsx';
import { visibleText } from '../../components/visible-text.ts';
import classes from './mcp.module.css';
import type { Tool } from './server-form.ts';
import { argumentFields, callTool, JSON_FIELD, type ToolCall, type ToolResult, toArguments } from './tool-call.ts';

/** Keys in the list: the newest. */
const MAX_KEYS = 100;

/** The key as which a tool is called: chosen of those that may call tools, or by its id. */
function useKeyFields(): readonly FormField[] {
  const mayList = useMay('listKeys');
  const { data } = useQuery({ ...reading('listKeys', { query: { limit: MAX_KEYS } }), enabled: mayList });
  const fields = OPERATIONS.testMcpTool.body;
  if (data === undefined) return fields;
  const keys = data.data.filter(
    ({ state, permissions }) => state === 'active' && permissions.some((one) => one === 'mcp' || one === 'admin'),
  );
  const choices = { choices: ['', ...keys.map(({ id }) => id)] };
  const names = { choiceLabels: { '': 'Choose a key', ...Object.fromEntries(keys.map(({ id, name }) => [id, name])) } };
  return fields.map((field) => ({ ...field, kind: 'select', ...choices, ...names }));
}

interface TestDialogProps {
  readonly tool: Tool;
  onClose(): void;
}

/** Calls a tool as a key, and shows what its caller gets. */
export function TestDialog({ tool, onClose }: TestDialogProps) {
  const { server, tool: name, definition } = tool;
  const schema = definition?.inputSchema;
  const own = argumentFields(schema);
  const keyFields = useKeyFields();
  const [isJson, setIsJson] = useState(own === undefined);
  const fields = isJson || own === undefined ? [JSON_FIELD] : own;
  const [key, setKey] = useState<Form>({ keyId: '' });
  const [form, setForm] = useState<Form>(() => begin(own));
  const [fault, setFault] = useState<FormFault>();
  const queries = useQueryClient();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const calling = useMutation({
    // A refused key here is the tested one, not the session's.
    meta: { ownKey: true },
    mutationFn: (asked: ToolCall) => {
      abort.current = new AbortController();
      return callTool(asked, abort.current.signal);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [pathTo('listRequests')] }),
  });

  function switchForm(toJson: boolean) {
    const made = toBody<Record<string, unknown>>(fields, form);
    const entered = 'fault' in made ? {} : made.body;
    setFault(undefined);
    setIsJson(toJson);
    if (toJson) setForm(toForm([JSON_FIELD], { arguments: toArguments(schema, entered) }));
    else setForm(begin(own));
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const made = [
      toBody<{ keyId: string }>(keyFields, key, { keyId: 'Choose a key.' }),
      toBody<Record<string, unknown>>(fields, form),
    ] as const;
    const wrong = made.find((one) => 'fault' in one);
    setFault(wrong !== undefined && 'fault' in wrong ? wrong.fault : undefined);
    const [asKey, entered] = made;
    if ('fault' in asKey || 'fault' in entered) return;
    const args = isJson ? (entered.body.arguments as object) : toArguments(schema, entered.body);
    calling.mutate({ server, tool: name, keyId: asKey.body.keyId, args });
  }

  return (
    <Modal opened onClose={onClose} title={`Test ${name}`} size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={submit} noValidate autoComplete="off">
        <Stack gap="md">
          <p>
            The gateway calls the tool for real, with the policy and limits of the key, and records the call. The test
            is in the audit log.
          </p>
          <FormFields fields={keyFields} form={key} fault={fault} onChange={setKey} isFirst />
          <FormFields fields={fields} form={form} fault={fault} onChange={setForm} />
          {own === undefined || own.length === 0 ? null : (
            <Switch
              label="Arguments as JSON"
              checked={isJson}
              onChange={(event) => switchForm(event.currentTarget.checked)}
            />
          )}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
            <Button type="submit" loading={calling.isPending}>
              Call tool
            </Button>
          </Group>
        </Stack>
      </form>
      <div aria-live="polite">
        <ActionError error={calling.error} title="The call failed" />
        {calling.data === undefined ? null : <Result tool={name} result={calling.data} />}
        <Decision requestId={requestIdOf(calling)} />
      </div>
    </Modal>
  );
}

/** Nothing entered; of a choice without an empty one, the first. */
function begin(fields: readonly FormField[] | undefined): Form {
  const all = fields ?? [JSON_FIELD];
  return { ...toForm(all, {}), ...Object.fromEntries(all.flatMap(firstChoice)) };
}

function firstChoice({ name, choices = [] }: FormField): readonly (readonly [string, string])[] {
  return choices[0] === undefined ? [] : [[name, choices[0]]];
}

function requestIdOf({ data, error }: { readonly data: ToolResult | undefined; readonly error: Error | null }) {
  return data?.requestId ?? (error instanceof ApiError ? error.requestId : undefined);
}

function Result({ tool, result: { text, isError } }: { readonly tool: string; readonly result: ToolResult }) {
  return (
    <Stack gap="xs" mt="md">
      <h3 className={classes.resultTitle}>{isError ? 'The caller gets an error of the tool' : 'The caller gets'}</h3>
      <MarkedText label={`Result of ${tool}`} text={text === '' ? 'An empty result' : visibleText(text)} ranges={[]} />
    </Stack>
  );
}

/** The recorded decision on the call, with its findings. */
function Decision({ requestId }: { readonly requestId: string | undefined }) {
  const record = useRecord(requestId);
  if (record === undefined) return null;
  const { id, action, status, latencyMs, processingMs, findings } = record;
  return (
    <Stack gap="xs" mt="md">
      <Facts
        isNarrow
        facts={[
          ['Decision', <ActionTag key="action" action={action} />],
          ['Status', status],
          ['Total time', formatMs(latencyMs)],
          ['Gateway', formatMs(processingMs)],
          [
            'Record',
            <Link key="record" href={`/requests/${id}`}>
              Open the request
            </Link>,
          ],
        ]}
      />
      {findings.length === 0 ? (
        <p>No findings.</p>
      ) : (
        <ul className={classes.findings} aria-label="Findings of the call">
          {findings.map((finding, at) => (
            <li key={`${at} ${finding.rule}`}>
              <strong>{threatName(finding.type)}</strong> <ActionTag action={finding.action} />{' '}
              <SeverityText severity={finding.severity} /> <code>{finding.location.field}</code>{' '}
              <code>{ruleName(finding)}</code>
            </li>
          ))}
        </ul>
      )}
    </Stack>
  );
}
