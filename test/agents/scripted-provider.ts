import type { Behaviour } from '../support/mock-upstream/behaviour.ts';
import { startMockUpstream } from '../support/mock-upstream/start-mock-upstream.ts';
import { startBedrockUpstream } from './bedrock-upstream.ts';
import { chooseCall } from './choose-call.ts';
import { startGeminiUpstream } from './gemini-upstream.ts';
import { readRequest } from './requests.ts';
import { CLOSING, STEPS } from './steps.ts';

export interface ScriptedProvider {
  /** Variables that lead the service to it. */
  readonly settings: Readonly<Record<string, string>>;
  /** Every body that the service forwarded, parsed, since `work` was last called. */
  readonly bodies: readonly unknown[];
  /** The faults of the script itself: a client without a tool for a step. */
  readonly faults: readonly string[];
  /** Begins a session in this folder. */
  work(folder: string): void;
  close(): Promise<void>;
}

/** A provider of all five protocols whose model goes through STEPS, one tool call a turn, and then closes. */
export async function startScriptedProvider(): Promise<ScriptedProvider> {
  const bodies: unknown[] = [];
  const faults: string[] = [];
  let folder = '.';

  const behave = (body: unknown): Behaviour => {
    bodies.push(body);
    const { tools, results } = readRequest(body);
    const step = STEPS[results.length];
    // A client's own requests, such as for a title, offer no tools to work with.
    if (step === undefined || tools.length < 3) return { text: CLOSING };
    try {
      const { name, input, isText } = chooseCall(step, tools, folder);
      const id = `call_${results.length + 1}`;
      if (!isText) return { text: 'On to the next step.', toolCalls: [{ id, name, arguments: input }] };
      return { items: [{ id: `ctc_${id}`, type: 'custom_tool_call', status: 'completed', call_id: id, name, input }] };
    } catch (error) {
      faults.push(String(error));
      return { text: CLOSING };
    }
  };

  const mock = await startMockUpstream({
    record: false,
    behave: ({ json }) => (json === undefined ? {} : behave(json)),
  });
  const gemini = await startGeminiUpstream(behave);
  const bedrock = await startBedrockUpstream(behave);
  return {
    settings: {
      OPENAI_API_KEY: 'upstream-key',
      OPENAI_BASE_URL: `${mock.url}/v1`,
      ANTHROPIC_API_KEY: 'upstream-key',
      ANTHROPIC_BASE_URL: mock.url,
      GEMINI_API_KEY: 'upstream-key',
      GEMINI_BASE_URL: gemini.url,
      BEDROCK_BASE_URL: bedrock.url,
      BEDROCK_API_KEY: 'upstream-key',
      BEDROCK_REGION: 'eu-central-1',
    },
    bodies,
    faults,
    work: (place) => {
      folder = place;
      bodies.length = 0;
      faults.length = 0;
    },
    close: async () => {
      await Promise.all([mock.close(), gemini.close(), bedrock.close()]);
    },
  };
}
