/**
 * A provider of OpenAI's chat completions that streams ordinary prose at a steady rate, each stream with a separate timer; prints `ready URL`.
 * `max_tokens` of the request is the number of tokens; the environment has the rate.
 */
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { textsByKind } from './texts.ts';

const { TOKENS_PER_SECOND = '50' } = process.env;
const WORDS = textsByKind()
  .get('prose')
  .split(/(?<=\s)/);

const server = http.createServer(async (request, response) => {
  const { max_tokens: tokens, model, stream } = JSON.parse(await text(request));
  const chunk = (choice) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model,
    choices: [choice],
  });
  if (!stream) {
    const choices = [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }];
    const usage = { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ...chunk(), object: 'chat.completion', choices, usage }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (event) => response.write(`data: ${JSON.stringify(event)}\n\n`);
  let sent = 0;
  let at = Math.floor(Math.random() * WORDS.length);
  const timer = setInterval(() => {
    at = (at + 1) % WORDS.length;
    sent += 1;
    send(chunk({ index: 0, delta: { content: WORDS[at] }, finish_reason: null }));
    if (sent < tokens) return;
    clearInterval(timer);
    send(chunk({ index: 0, delta: {}, finish_reason: 'stop' }));
    const usage = { prompt_tokens: 10, completion_tokens: sent, total_tokens: 10 + sent };
    send({ ...chunk(), choices: [], usage });
    response.end('data: [DONE]\n\n');
  }, 1000 / Number(TOKENS_PER_SECOND));
  response.once('close', () => clearInterval(timer));
});
server.listen(0, '127.0.0.1', () => console.log(`ready http://127.0.0.1:${server.address().port}`));
process.once('SIGTERM', () => process.exit(0));
