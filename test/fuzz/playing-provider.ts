import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The response of every provider from now on: pieces of a body, and how it ends. */
export interface Played {
  readonly type: string;
  readonly pieces: readonly Uint8Array[];
  readonly ending: 'end' | 'reset';
}

export interface PlayingProvider {
  readonly url: string;
  play(played: Played): void;
  close(): void;
}

/** A server that returns the last configured response to any request. */
export async function startPlayingProvider(): Promise<PlayingProvider> {
  let playing: Played | undefined;
  const server = createServer((request, response) => {
    request.resume().once('end', async () => {
      const { type, pieces, ending } = playing ?? { type: 'application/json', pieces: [], ending: 'end' };
      response.writeHead(200, { 'content-type': type });
      for (const piece of pieces) {
        response.write(piece);
        // So that the pieces arrive as pieces.
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (ending === 'end') response.end();
      else response.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    play: (played) => {
      playing = played;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
