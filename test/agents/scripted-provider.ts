import { type Reply, startProviders } from '../support/start-providers.ts';
import { chooseCall } from './choose-call.ts';
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

  const reply = (body: unknown): Reply => {
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

  const { settings, close } = await startProviders(reply);
  return {
    settings,
    bodies,
    faults,
    work: (place) => {
      folder = place;
      bodies.length = 0;
      faults.length = 0;
    },
    close,
  };
}
