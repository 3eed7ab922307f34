import type { Route } from '../../core/http/router.ts';
import { geminiError } from '../../core/protocols/gemini/gemini-error.ts';
import { type GenerationRouteDeps, generationRoute } from '../generation-route.ts';

/** `POST /v1beta/models/{model}:generateContent` and `:streamGenerateContent`: Google's Gemini API, where its SDK looks. */
export function geminiBetaRoute(deps: GenerationRouteDeps): Route {
  return routeAt('/v1beta/models/{call}', deps);
}

/** The same under `/v1`. */
export function geminiRoute(deps: GenerationRouteDeps): Route {
  return routeAt('/v1/models/{call}', deps);
}

function routeAt(path: string, deps: GenerationRouteDeps): Route {
  return generationRoute(
    {
      path,
      permission: 'chat_completions',
      errorShape: geminiError,
      speech: async () => (await import('../speech/gemini-speech.ts')).GEMINI_SPEECH,
    },
    deps,
  );
}
