import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { formatMs, NOTHING } from '../../components/format.ts';
import { ActionError, Empty, Panel } from '../../components/page.tsx';
import { MarkedText } from '../../components/text-box.tsx';
import { askModel, type Blocked, foundTexts, type ModelResponse } from './gateway-response.ts';
import { type Message, MessageFields, VerdictView } from './panel-parts.tsx';
import classes from './playground.module.css';

const ANSWER_CHANNEL = 'choices[0].content';

interface Asked {
  readonly key: string;
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
  };
}

/** A request to a model and its response so far; aborted when the page is left. */
function useAsking() {
  const [answer, setAnswer] = useState<ModelResponse | Blocked>();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);

  const asking = useMutation({
    // A refused key here is the application's, not the session's.
    meta: { ownKey: true },
    mutationFn: async (asked: Asked) => {
      abort.current = new AbortController();
      const { signal } = abort.current;
      setAnswer(undefined);
      try {
        for await (const soFar of askModel(asked.key, asked.body, signal)) setAnswer(soFar);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },
  });
  return { answer, asking, abort };
}

/** A chat through the gateway with an application's key. It counts against limits and is recorded like any other. */
export function ModelPanel() {
  const { answer, asking, abort } = useAsking();
  return (
    <div className={classes.columns}>
      <Panel title="Request">
        <AskForm
          isPending={asking.isPending}
          error={asking.error}
          onAsk={(asked) => asking.mutate(asked)}
          onStop={() => abort.current?.abort()}
        />
      </Panel>
      <Panel title="Response">
        {answer === undefined || asking.variables === undefined ? (
          <Empty title={asking.isPending ? 'Waiting for the response…' : 'No request sent yet'} />
        ) : (
          <Answer answer={answer} body={asking.variables.body} />
        )}
      </Panel>
    </div>
  );
}

interface AskFormProps {
  readonly isPending: boolean;
  readonly error: Error | null;
  onAsk(asked: Asked): void;
  onStop(): void;
}

function AskForm({ isPending, error, onAsk, onStop }: AskFormProps) {
  // Only in this page's memory; a reload clears it.
  const [key, setKey] = useState('');
  const [model, setModel] = useState('echo');
  const [messages, setMessages] = useState<readonly Message[]>([{ id: 1, role: 'user', content: '' }]);

  function submit(event: FormEvent) {
    event.preventDefault();
    const asked = messages.map(({ role, content }) => ({ role, content }));
    onAsk({ key: key.trim(), body: { model: model.trim(), messages: asked } });
  }

  return (
    <form onSubmit={submit} autoComplete="off">
      <Stack gap="md">
        <PasswordInput
          label="Application key"
          description="Stays in this page's memory. Requests count against the key's limits and are recorded."
          placeholder="svc_sk_…"
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          autoComplete="off"
        />
        <TextInput
          label="Model"
          description="echo repeats your message"
          value={model}
          onChange={(event) => setModel(event.currentTarget.value)}
        />
        <MessageFields messages={messages} onChange={setMessages} />
        <Group gap="sm">
          <Button type="submit" loading={isPending} disabled={key.trim() === '' || model.trim() === ''}>
            Send
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

function Answer({ answer, body }: { readonly answer: ModelResponse | Blocked; readonly body: Asked['body'] }) {
  if ('blocked' in answer) {
    return (
      <div className={classes.stack} role="status">
        <p>The request was blocked and not sent to a model.</p>
        <VerdictView svc={answer.blocked} texts={foundTexts(answer.blocked, body)} />
      </div>
    );
  }
  const { text, svc, finishReason, firstTextMs, totalMs } = answer;
  const texts = svc === undefined ? [] : foundTexts(svc, body, { [ANSWER_CHANNEL]: text });
  return (
    <div className={classes.stack}>
      <MarkedText label="Response" text={text} ranges={[]} />
      {finishReason === 'content_filter' ? <p role="status">The policy cut the response.</p> : null}
      {svc === undefined ? null : (
        <VerdictView
          svc={svc}
          texts={texts}
          facts={[
            ['First text', formatMs(firstTextMs ?? null)],
            ['Total time', formatMs(totalMs ?? null)],
            ['Finish reason', finishReason ?? NOTHING],
          ]}
        />
      )}
    </div>
  );
}
