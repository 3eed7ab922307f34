import { Button, Group, PasswordInput, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { ApiError, send } from '../../api/client.ts';
import { useRecord } from '../../api/queries.ts';
import { useStreamed } from '../../api/streams.ts';
import { formatMs, formatRequestCost, formatScore, NOTHING } from '../../components/format.ts';
import { SCORE_NOTE } from '../../components/labels.ts';
import { ActionError, Empty, Facts, Panel } from '../../components/page.tsx';
import { ActionTag } from '../../components/tag.tsx';
import { MarkedText } from '../../components/text-box.tsx';
import { askModel, type Blocked, foundTexts, type ModelResponse } from './gateway-response.ts';
import { type Message, MessageFields, VerdictView } from './panel-parts.tsx';
import { ParameterFields } from './parameters.tsx';
import classes from './playground.module.css';
import { areWritten, conversationOf, NO_PARAMETERS, parametersBody } from './request-body.ts';

const ANSWER_CHANNEL = 'choices[0].content';

interface Asked {
  readonly key: string;
  readonly body: {
    readonly model: string;
    readonly messages: readonly unknown[];
  };
}

/** Chats through the gateway with an application's key, with one model or two beside each other. They count against limits and are recorded like any other. */
export function ModelPanel() {
  const [first, second] = [useAttempt(), useAttempt()];
  const isPending = first.calling.isPending || second.calling.isPending;
  const [isCompared, setIsCompared] = useState(false);

  function ask([asked, other]: readonly [Asked, Asked?]) {
    setIsCompared(other !== undefined);
    first.calling.mutate(asked);
    if (other === undefined) second.calling.reset();
    else second.calling.mutate(other);
  }

  return (
    <div className={classes.threeColumns}>
      <Panel title="Request">
        <AskForm
          isPending={isPending}
          onAsk={ask}
          onStop={() => {
            first.stop();
            second.stop();
          }}
        />
      </Panel>
      {isCompared ? (
        [first, second].map((attempt, at) => (
          <div key={at} className={classes.stack}>
            <AttemptPanels attempt={attempt} of={attempt.calling.variables?.body.model} />
          </div>
        ))
      ) : (
        <AttemptPanels attempt={first} />
      )}
    </div>
  );
}

function useAttempt() {
  return useStreamed((asked: Asked, signal) => askModel(asked.key, asked.body, signal));
}

interface AttemptProps {
  readonly attempt: ReturnType<typeof useAttempt>;
  /** The model's name, where there are two. */
  readonly of?: string | undefined;
}

function AttemptPanels({ attempt: { latest: answer, calling }, of }: AttemptProps) {
  const { error, isPending, variables } = calling;
  const ofModel = of === undefined ? '' : ` of ${of}`;
  return (
    <>
      <Panel title={`Response${ofModel}`}>
        <div className={classes.stack}>
          <ActionError error={error} title={failureTitle(error)} />
          {answer !== undefined ? (
            <Answer answer={answer} />
          ) : error === null ? (
            <Empty
              title={
                variables === undefined ? 'No request sent yet' : isPending ? 'Waiting for the response…' : 'Stopped'
              }
            />
          ) : null}
        </div>
      </Panel>
      <Panel title={`Decision and cost${ofModel}`}>
        {error !== null ? (
          <FailedVerdict error={error} />
        ) : answer === undefined || variables === undefined ? (
          <Empty title="No decision yet" />
        ) : (
          <Verdict answer={answer} body={variables.body} isRunning={isPending} />
        )}
      </Panel>
    </>
  );
}

function failureTitle(error: Error | null): string {
  if (!(error instanceof ApiError)) return 'The request failed';
  // Status 0: no response arrived.
  return `The request failed: ${error.status === 0 ? '' : `status ${error.status}, `}${error.code}`;
}

/** The recorded decision of a request without a complete response. */
function FailedVerdict({ error }: { readonly error: Error }) {
  const record = useRecord(error instanceof ApiError ? error.requestId : undefined);
  if (record === undefined) return <Empty title="No decision">The request failed.</Empty>;
  return (
    <Facts
      facts={[
        ['Decision', <ActionTag key="action" action={record.action} />],
        ['Score', `${formatScore(record.threatScore)}. ${SCORE_NOTE}`],
        recordFact(record.id),
      ]}
    />
  );
}

function recordFact(requestId: string) {
  return [
    'Record',
    <Link key="record" href={`/requests/${requestId}`}>
      Open the request
    </Link>,
  ] as const;
}

interface AskFormProps {
  readonly isPending: boolean;
  onAsk(asked: readonly [Asked, Asked?]): void;
  onStop(): void;
}

function AskForm({ isPending, onAsk, onStop }: AskFormProps) {
  // Only in this page's memory; a reload clears it.
  const [key, setKey] = useState('');
  const [model, setModel] = useState('echo');
  const models = useModels(key.trim());
  const [other, setOther] = useState('');
  const [parameters, setParameters] = useState(NO_PARAMETERS);
  const [messages, setMessages] = useState<readonly Message[]>([{ id: 1, role: 'user', content: '' }]);
  const [json, setJson] = useState<string>();
  const conversation =
    json === undefined ? { messages: messages.map(({ role, content }) => ({ role, content })) } : conversationOf(json);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (conversation === undefined) return;
    const askedOf = (name: string) => ({
      key: key.trim(),
      body: { model: name.trim(), ...conversation, ...parametersBody(parameters) },
    });
    onAsk(other.trim() === '' ? [askedOf(model)] : [askedOf(model), askedOf(other)]);
  }

  return (
    <form onSubmit={submit} autoComplete="off">
      <Stack gap="md">
        <PasswordInput
          label="Application key"
          description={
            <>
              Secrets are stored only as hashes, so paste the key&apos;s secret; <Link href="/keys">create a key</Link>{' '}
              for the playground. It stays in this page&apos;s memory. Requests count against the key&apos;s limits and
              are recorded.
            </>
          }
          placeholder="svc_sk_…"
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          autoComplete="off"
        />
        <TextInput
          label="Model"
          description={
            models.length === 0 ? 'echo repeats your message' : 'Choose one that the key may use, or type a name'
          }
          value={model}
          list="playground-models"
          onChange={(event) => setModel(event.currentTarget.value)}
        />
        <datalist id="playground-models">
          {models.map((id) => (
            <option key={id} value={id} />
          ))}
        </datalist>
        <TextInput
          label="Compare with"
          description="Another model that gets the same request"
          placeholder="None"
          value={other}
          list="playground-models"
          onChange={(event) => setOther(event.currentTarget.value)}
        />
        <ParameterFields parameters={parameters} onChange={setParameters} />
        <Switch
          label="Conversation as JSON"
          description="With tools, their calls and results, such as the body of a recorded request"
          checked={json !== undefined}
          onChange={(event) => setJson(event.currentTarget.checked ? toJson(messages) : undefined)}
        />
        {json === undefined ? (
          <MessageFields messages={messages} onChange={setMessages} />
        ) : (
          <Textarea
            label="Messages and tools"
            value={json}
            error={conversation === undefined ? "Not a list of messages, nor an object with 'messages'" : undefined}
            onChange={(event) => setJson(event.currentTarget.value)}
            rows={12}
          />
        )}
        <Group gap="sm">
          <Button
            type="submit"
            loading={isPending}
            disabled={key.trim() === '' || model.trim() === '' || conversation === undefined || !areWritten(parameters)}
          >
            Send
          </Button>
          {isPending ? (
            <Button variant="default" onClick={onStop}>
              Stop
            </Button>
          ) : null}
        </Group>
      </Stack>
    </form>
  );
}

/** The messages of the form, to go on from. */
function toJson(messages: readonly Message[]): string {
  return JSON.stringify({ messages: messages.map(({ role, content }) => ({ role, content })), tools: [] }, null, 2);
}

interface Models {
  readonly data: readonly { readonly id: string }[];
}

/** Names of the models that a key may use; empty until a valid key is entered. */
function useModels(key: string): readonly string[] {
  const models = useQuery({
    queryKey: ['models', key],
    enabled: /^svc_sk_\w{20,}/.test(key),
    retry: false,
    queryFn: async ({ signal }) => {
      const response = await send('/v1/models', {
        credentials: 'omit',
        headers: { Authorization: `Bearer ${key}` },
        signal,
      });
      return response.ok ? ((await response.json()) as Models) : { data: [] };
    },
    // The key is in the cache's key, so the entry is removed with the page.
    gcTime: 0,
  });
  return models.data?.data.map(({ id }) => id) ?? [];
}

function Answer({ answer }: { readonly answer: ModelResponse | Blocked }) {
  if ('blocked' in answer) return <p role="status">The request was blocked and not sent to a model.</p>;
  return (
    <div className={classes.stack}>
      {answer.text === '' && answer.calls.length > 0 ? null : (
        <MarkedText label="Response" text={answer.text} ranges={[]} />
      )}
      {answer.calls.map(({ name, arguments: written }, at) => (
        <div key={at}>
          <h3>
            Calls <code>{name}</code>
          </h3>
          <MarkedText label={`Arguments of ${name}`} text={written} ranges={[]} />
        </div>
      ))}
      {answer.finishReason === 'content_filter' ? <p role="status">The policy cut the response.</p> : null}
    </div>
  );
}

interface VerdictProps {
  readonly answer: ModelResponse | Blocked;
  readonly body: Asked['body'];
  readonly isRunning: boolean;
}

function Verdict({ answer, body, isRunning }: VerdictProps) {
  const svc = 'blocked' in answer ? answer.blocked : answer.svc;
  const record = useRecord(isRunning ? undefined : svc?.request_id);
  if (svc === undefined)
    return <Empty title={isRunning ? 'Waiting for the decision…' : 'Stopped before the decision'} />;
  const isBlocked = 'blocked' in answer;
  const texts = isBlocked ? foundTexts(svc, body) : foundTexts(svc, body, { [ANSWER_CHANNEL]: answer.text });
  const { tokens } = record ?? {};
  return (
    <VerdictView
      svc={svc}
      texts={texts}
      facts={[
        ...(isBlocked
          ? []
          : ([
              ['First text', formatMs(answer.firstTextMs ?? null)],
              ['Total time', formatMs(answer.totalMs ?? null)],
              ['Finish reason', answer.finishReason ?? NOTHING],
            ] as const)),
        ['Tokens', `${tokens?.input ?? NOTHING} in, ${tokens?.output ?? NOTHING} out`],
        ['Cost', record === undefined ? NOTHING : formatRequestCost(record)],
        ...(record === undefined ? [] : [recordFact(svc.request_id)]),
      ]}
    />
  );
}
