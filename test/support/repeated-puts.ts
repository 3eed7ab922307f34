import { UndiciHttpClient } from '../../functions/adapters/http/undici-http-client.ts';
import type { HttpClient } from '../../functions/kernel/http/index.ts';

/** A network that loses each PutItem's response, so that the client retries it. */
export function repeatingPuts(): HttpClient {
  const http = new UndiciHttpClient();
  return {
    send: async (request) => {
      const answer = await http.send(request);
      if (!request.headers['x-amz-target']?.endsWith('PutItem')) return answer;
      for await (const _ of answer.body);
      return http.send(request);
    },
  };
}
