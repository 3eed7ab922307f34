import type { Route } from '../../core/http/router.ts';
import { type GenerationRouteDeps, generationRoute } from '../generation-route.ts';

/** `POST /v1/audio/transcriptions`: OpenAI's transcripts of a form's audio file. */
export function transcriptionsRoute(deps: GenerationRouteDeps): Route {
  return generationRoute(
    {
      path: '/v1/audio/transcriptions',
      permission: 'audio',
      takesForm: true,
      speech: async () => (await import('../speech/transcriptions-speech.ts')).TRANSCRIPTIONS_SPEECH,
    },
    deps,
  );
}
