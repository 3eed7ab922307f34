import { connect } from 'node:net';
import { DEADLINE_MS } from '../support/eventually.ts';

export interface RawReply {
  /** 0 if the connection was closed without a response. */
  readonly status: number;
  readonly body: string;
  /** All received bytes, including those after the first response. */
  readonly text: string;
}

/** Sends bytes that no client would, and reads what comes until the connection is closed. */
export function sendRaw(baseUrl: string, request: string): Promise<RawReply> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(request, 'latin1'));
    socket.setTimeout(DEADLINE_MS, () => {
      socket.destroy();
      reject(new Error(`no end after ${DEADLINE_MS} ms: ${answer.slice(0, 200)}`));
    });
    socket.on('data', (bytes) => {
      answer += bytes.toString('latin1');
    });
    // A reset counts as a refusal.
    socket.on('error', () => {});
    socket.on('close', () => {
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
      const [, body = ''] = answer.split('\r\n\r\n');
      resolve({ status, body: unchunked(answer, body), text: answer });
    });
  });
}

function unchunked(answer: string, body: string): string {
  return /^transfer-encoding: chunked/im.test(answer) ? body.replace(/(?:^|\r\n)[0-9a-f]+\r\n/gi, '') : body;
}
