import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { formatMs, NOTHING } from '../../components/format.ts';
import { ActionError, Empty, Panel } from '../../components/page.tsx';
import { MarkedText } from '../../components/text-box.tsx';
import { askModel, type Blocked, type ModelAnswer } from './ask-model.ts';
import { type Message, MessageFields, VerdictView } from './panel-parts.tsx';
import classes from './playground.module.css';
import { foundTexts } from './verdict.ts';

const ANSWER_CHANNEL = 'choices[0].content';

interface Asked {
  readonly key: string;
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
  };
}

/** A chat through the whole gateway, with an application's key: it counts, costs and is recorded like any other. */
export function ModelPanel() {
  // In this page's memory alone; gone with a reload.
  const [key, setKey] = useState('');
  const [model, setModel] = useState('echo');
  const [messages, setMessages] = useState<readonly Message[]>([{ id: 1, role: 'user', content: '' }]);
  const [answer, setAnswer] = useState<ModelAnswer | Blocked>();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);

  const asking = useMutation({
    // A key that the gateway refuses is another than the session's.
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

  function submit(event: FormEvent) {
    event.preventDefault();
    const asked = messages.map(({ role, content }) => ({ role, content }));
    asking.mutate({ key: key.trim(), body: { model: model.trim(), messages: asked } });
  }

  return (
    <div className={classes.columns}>
      <Panel title="What is asked">
        <form onSubmit={submit} autoComplete="off">
          <Stack gap="md">
            <PasswordInput
              label="Key of an application"
              description="Stays in this page's memory. What you ask counts against its limits, and is recorded."
              placeholder="svc_sk_…"
              value={key}
              onChange={(event) => setKey(event.currentTarget.value)}
              autoComplete="off"
            />
            <TextInput
              label="Model"
              description="echo answers what you said"
              value={model}
              onChange={(event) => setModel(event.currentTarget.value)}
            />
            <MessageFields messages={messages} onChange={setMessages} />
            <Group gap="sm">
              <Button type="submit" loading={asking.isPending} disabled={key.trim() === '' || model.trim() === ''}>
                Send
              </Button>
              {asking.isPending ? (
                <Button variant="default" onClick={() => abort.current?.abort()}>
                  Stop
                </Button>
              ) : null}
            </Group>
            <ActionError error={asking.error} />
          </Stack>
        </form>
      </Panel>
      <Panel title="What came back">
        {answer === undefined || asking.variables === undefined ? (
          <Empty title={asking.isPending ? 'Waiting for the first words…' : 'Nothing asked yet'} />
        ) : (
          <Answer answer={answer} body={asking.variables.body} />
        )}
      </Panel>
    </div>
  );
}

function Answer({ answer, body }: { readonly answer: ModelAnswer | Blocked; readonly body: Asked['body'] }) {
  if ('blocked' in answer) {
    return (
      <div className={classes.stack} role="status">
        <p>The request was blocked and reached no model.</p>
        <VerdictView svc={answer.blocked} texts={foundTexts(answer.blocked, body)} />
      </div>
    );
  }
  const { text, svc, finishReason, firstTextMs, totalMs } = answer;
  const texts = svc === undefined ? [] : foundTexts(svc, body, { [ANSWER_CHANNEL]: text });
  return (
    <div className={classes.stack}>
      <MarkedText label="The answer" text={text} ranges={[]} />
      {finishReason === 'content_filter' ? <p role="status">The answer was cut by the policy.</p> : null}
      {svc === undefined ? null : (
        <VerdictView
          svc={svc}
          texts={texts}
          facts={[
            ['First words', formatMs(firstTextMs ?? null)],
            ['In all', formatMs(totalMs ?? null)],
            ['Ended by', finishReason ?? NOTHING],
          ]}
        />
      )}
    </div>
  );
}
