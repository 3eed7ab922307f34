import type { Route } from '../../core/http/router.ts';
import { TRANSCRIPT_FRAMING } from '../../core/protocols/openai-transcriptions/transcript-format.ts';
import {
  asksForPlainText,
  streamsTranscript,
  TRANSCRIPTIONS_PROTOCOL,
} from '../../core/protocols/openai-transcriptions/transcriptions-protocol.ts';
import { type GenerationRouteDeps, generationRoute } from '../generation-route.ts';

/** `POST /v1/audio/transcriptions`: OpenAI's transcripts of a form's audio file. */
export function transcriptionsRoute(deps: GenerationRouteDeps): Route {
  return generationRoute(
    {
      path: '/v1/audio/transcriptions',
      permission: 'audio',
      takesForm: true,
      framing: TRANSCRIPT_FRAMING,
      spoken: () => ({
        protocol: TRANSCRIPTIONS_PROTOCOL,
        wantsStream: streamsTranscript,
        isPlain: asksForPlainText,
      }),
    },
    deps,
  );
}
