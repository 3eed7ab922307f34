/**
 * Reads many streams at once in a separate process. Gets `{ url, headers, body, streams, rampMs }`; sends `running` when each has its first
 * bytes, then the number of complete streams with the content events of each. For a message `count` it sends the content events so far.
 */
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

process.once('message', async ({ url, headers, body, streams, rampMs }) => {
  let begun = 0;
  let tokens = 0;
  process.on('message', () => process.send(tokens));
  const agent = new http.Agent({ maxSockets: Infinity });
  const read = async (at) => {
    await sleep((at * rampMs) / streams);
    const request = http.request(url, { method: 'POST', headers, agent });
    request.end(body);
    const response = await new Promise((resolve, reject) => request.once('response', resolve).once('error', reject));
    let events = 0;
    let isDone = false;
    let isFirst = true;
    for await (const bytes of response.setEncoding('utf8')) {
      if (isFirst) begun += 1;
      if (isFirst && begun === streams) process.send('running');
      isFirst = false;
      const arrived = bytes.split('"content":').length - 1;
      events += arrived;
      tokens += arrived;
      isDone ||= bytes.includes('[DONE]');
    }
    return { status: response.statusCode, events, isDone };
  };
  const results = await Promise.all(Array.from({ length: streams }, (_, at) => read(at)));
  process.send(results);
});
process.once('disconnect', () => process.exit(0));
