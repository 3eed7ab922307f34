import type { RequestDetail } from '../../api/client.ts';

/** Fields of a body that no text was captured of. */
const EXAMPLE_TEXT = 'Hello';

/**
 * A request as a curl command for bash. The key is a variable: it is stored nowhere. Without a captured body the command has the same route
 * and model, and an example text.
 */
export function toCurl(record: RequestDetail, base: string, body?: string): string {
  const { route, provider, model, stream, sessionId, endUserId } = record;
  const named = model === null ? 'MODEL' : `${provider ?? ''}/${model}`;
  const sent = body ?? JSON.stringify(exampleBody(route, named, stream));
  return [
    `curl ${quoted(new URL(route, base).href)} \\`,
    `  -H "Authorization: Bearer $SVC_API_KEY" \\`,
    `  -H 'Content-Type: application/json' \\`,
    ...(sessionId === null ? [] : [`  -H ${quoted(`X-Session-ID: ${sessionId}`)} \\`]),
    ...(endUserId === null ? [] : [`  -H ${quoted(`X-End-User-ID: ${endUserId}`)} \\`]),
    `  -d ${quoted(sent)}`,
  ].join('\n');
}

function exampleBody(route: string, model: string, stream: boolean): object {
  const streams = stream ? { stream } : {};
  if (route.endsWith('/messages')) {
    return { model, max_tokens: 100, ...streams, messages: [{ role: 'user', content: EXAMPLE_TEXT }] };
  }
  if (route.endsWith('/chat/completions') || route.endsWith('/guard')) {
    return { model, ...streams, messages: [{ role: 'user', content: EXAMPLE_TEXT }] };
  }
  return { model, ...streams, input: EXAMPLE_TEXT };
}

/** A text as one word of a shell, whatever it contains. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
