import fc from 'fast-check';
import { CONVERSATIONS, MAIL, ORDER } from '../../threats/mail-agent.ts';
import { CALL_APIS } from '../../threats/responses/called-tools.ts';
import type { FuzzedService } from '../fuzzed-service.ts';
import { answersOf, blocksWith, namesIn } from '../hostile-calls.ts';
import { nearJson } from '../hostile-json.ts';
import { faultOf, PROVIDER_FAULTS } from '../judge-answer.ts';
import type { FuzzTarget } from '../target.ts';

type Api = keyof typeof CALL_APIS;
const APIS = Object.keys(CALL_APIS) as Api[];
const FORBIDDEN = 'send_email';
/** The model of a provider, and the APIs that this one speaks. */
const PROVIDERS: readonly (readonly [model: string, speaks: readonly Api[]])[] = [
  ['gpt-4o', ['chat', 'responses']],
  ['claude-sonnet-4-5', ['messages']],
  ['gemini-2.5-flash', ['gemini']],
];
/**
 * Tool calls with broken arguments, duplicate names, ids and indexes, in requests and responses of each API, whole and in events. A client
 * never gets a call that the policy forbids.
 */
export function toolCallTarget(service: FuzzedService): FuzzTarget {
  const cases = fc
    .record({ api: fc.constantFrom(...APIS), provider: fc.constantFrom(...PROVIDERS), stream: fc.boolean() })
    .chain(({ api, provider: [model, speaks], stream }) =>
      fc.record({
        api: fc.constant(api),
        stream: fc.constant(stream),
        body: bodiesOf(api, model, stream),
        model: fc.constant(model),
        answer: fc
          .tuple(
            fc.constantFrom(...(speaks.includes(api) ? [api] : speaks)),
            blocksWith(FORBIDDEN),
            fc.constantFrom(1, 7, 1000),
          )
          .chain(([spoken, made, size]) => answersOf(spoken, made, stream ? size : undefined)),
      }),
    );
  return {
    name: 'tool calls',
    share: 20,
    property: fc.asyncProperty(cases, async ({ api, stream, body, model, answer }) => {
      service.provider.play({
        type: stream ? 'text/event-stream' : 'application/json',
        pieces: [Buffer.from(answer)],
        ending: 'end',
      });
      const path =
        api === 'gemini'
          ? `/v1beta/models/${model}${stream ? ':streamGenerateContent?alt=sse' : ':generateContent'}`
          : CALL_APIS[api].path(0, stream);
      const answered = await service.ask({ method: 'POST', path, body, as: 'agent' });
      const fault = faultOf(answered, [...PROVIDER_FAULTS, 503]);
      if (fault !== undefined) throw new Error(fault);
      if (answered.status === 200 && namesIn(answered.text).includes(FORBIDDEN)) {
        throw new Error(`a client gets the call: ${answered.text.slice(0, 2_000)}`);
      }
    }),
  };
}

/** Bodies of a mail agent near valid ones: some with members and calls that are there twice. */
function bodiesOf(api: Api, model: string, stream: boolean): fc.Arbitrary<string> {
  const body = {
    ...(api !== 'gemini' && { model, ...(stream && { stream }) }),
    ...CONVERSATIONS[api]('Summarise mail m-1 and reply to Kim.', MAIL(ORDER), true),
  };
  const text = JSON.stringify(body);
  const broken = text
    .replace('{\\"to\\":', '{\\"to\\":\\"b\\",\\"to\\":')
    .replaceAll('"c2"', '"c1"')
    .replaceAll('toolu_2', 'toolu_1');
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(text, broken) },
    { weight: 2, arbitrary: nearJson(fc.constant(body)) },
  );
}
