import {
  COMPLETIONS_FRAMING,
  COMPLETIONS_PROTOCOL,
  type CompletionsRequest,
} from '../../core/protocols/openai-completions/completions-protocol.ts';
import { type Speech, streamsByField } from './speech.ts';

/** OpenAI's completions of a prompt. */
export const COMPLETIONS_SPEECH: Speech<CompletionsRequest> = {
  framing: COMPLETIONS_FRAMING,
  spoken: () => ({ protocol: COMPLETIONS_PROTOCOL, wantsStream: streamsByField }),
};
