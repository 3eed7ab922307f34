import { Button, Group, NativeSelect, PasswordInput, Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useStreamed } from '../../api/streams.ts';
import { formatMs } from '../../components/format.ts';
import { ActionError, Panel } from '../../components/page.tsx';
import { CopyField, MarkedText } from '../../components/text-box.tsx';
import { type ApiRequest, type ApiResponse, callApi, JSON_TYPE, obstacleOf, toCurl, toRequest } from './api-request.ts';
import { examplesOf, type Operation, type Parameter } from './openapi-document.ts';
import classes from './reference.module.css';
import { ValueNote } from './schema-fields.tsx';

export interface OperationProps {
  readonly operation: Operation;
  /** Only in the page's memory. */
  readonly apiKey: string;
  onKey(key: string): void;
}

/** The fields of a request, the request for curl, and the response of this deployment. */
export function TryPanel({ operation, apiKey, onKey }: OperationProps) {
  const json = operation.requestBody?.content[JSON_TYPE];
  const examples = examplesOf(json);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [body, setBody] = useState(examples[0]?.text ?? '');
  const needsKey = (operation.security ?? []).length > 0;
  const key = needsKey ? apiKey.trim() : '';
  const { latest: response, calling, stop } = useStreamed((sent: ApiRequest, signal) => callApi(sent, key, signal));
  const obstacle = obstacleOf(operation);
  const request = toRequest(operation, values, body);

  function submit(event: FormEvent) {
    event.preventDefault();
    calling.mutate(request);
  }

  const fieldsOf = (parameters: readonly Parameter[]) =>
    parameters.length === 0 ? null : (
      <div className={classes.grid}>
        {parameters.map((parameter) => (
          <ParameterField
            key={parameter.name}
            parameter={parameter}
            value={values[parameter.name] ?? ''}
            onValue={(value) => setValues((before) => ({ ...before, [parameter.name]: value }))}
          />
        ))}
      </div>
    );
  const headers = operation.parameters.filter((parameter) => parameter.in === 'header');
  return (
    <Panel title="Request">
      <form onSubmit={submit} autoComplete="off">
        <Stack gap="md">
          {fieldsOf(operation.parameters.filter((parameter) => !headers.includes(parameter)))}
          {headers.length === 0 ? null : (
            <details>
              <summary>Headers ({headers.length})</summary>
              {fieldsOf(headers)}
            </details>
          )}
          {examples.length < 2 ? null : (
            <NativeSelect
              label="Example"
              data={examples.map(({ name, text }) => ({ label: name, value: text }))}
              onChange={(event) => setBody(event.currentTarget.value)}
            />
          )}
          {json === undefined ? null : (
            <Textarea
              label="Body"
              classNames={{ input: classes.code ?? '' }}
              spellCheck={false}
              value={body}
              onChange={(event) => setBody(event.currentTarget.value)}
              rows={Math.min(18, body.split('\n').length + 1)}
            />
          )}
          <CopyField label="curl" text={toCurl(operation, request, window.location.origin)} />
          {needsKey && obstacle === undefined ? (
            <PasswordInput
              label="API key"
              description="Only this page's memory has it, and only this address gets it. The call is real: it counts against the key's limits, and changes what it says"
              placeholder="svc_sk_…"
              value={apiKey}
              onChange={(event) => onKey(event.currentTarget.value)}
              autoComplete="off"
            />
          ) : null}
          {obstacle === undefined ? (
            <Group gap="sm">
              <Button type="submit" loading={calling.isPending} disabled={needsKey && key === ''}>
                Send {operation.method}
              </Button>
              {calling.isPending ? (
                <Button variant="default" onClick={stop}>
                  Stop
                </Button>
              ) : null}
            </Group>
          ) : (
            <p>This page cannot send it. {obstacle}</p>
          )}
          <ActionError error={calling.error} />
          {response === undefined ? null : <ResponseView response={response} isPending={calling.isPending} />}
        </Stack>
      </form>
    </Panel>
  );
}

interface ParameterFieldProps {
  readonly parameter: Parameter;
  readonly value: string;
  onValue(value: string): void;
}

function ParameterField({ parameter, value, onValue }: ParameterFieldProps) {
  const { name, required = false, schema, description } = parameter;
  const choices = schema.enum?.map(String) ?? (schema.type === 'boolean' ? ['true', 'false'] : undefined);
  const field = {
    label: <code>{name}</code>,
    description: <ValueNote schema={schema} text={description} />,
    value,
    required,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => onValue(event.currentTarget.value),
  };
  return choices === undefined ? <TextInput {...field} /> : <NativeSelect {...field} data={['', ...choices]} />;
}

function ResponseView({ response, isPending }: { readonly response: ApiResponse; readonly isPending: boolean }) {
  const { status, headers, text, totalMs } = response;
  return (
    <>
      <p role="status">
        Status <strong>{status}</strong>
        {totalMs !== undefined ? `, ${formatMs(totalMs)}` : isPending ? ', receiving…' : ', stopped'}
      </p>
      <details>
        <summary>Response headers ({headers.length})</summary>
        <MarkedText label="Response headers" text={headers.join('\n')} ranges={[]} />
      </details>
      <MarkedText label="Response body" text={text} ranges={[]} />
    </>
  );
}
