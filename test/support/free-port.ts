import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Below the ports that Linux gives to connections and to servers without a wish: no other program gets one between its choice and its use. */
const FIRST = 20_000;
const LAST = 32_000;

/** A port of 127.0.0.1 that no process listens on, for programs that cannot choose one themselves. */
export async function freePort(): Promise<number> {
  for (;;) {
    const wanted = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    const server = createServer();
    const listening = once(server, 'listening').then(
      () => true,
      () => false,
    );
    server.listen(wanted, '127.0.0.1');
    if (!(await listening)) continue;
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    return port;
  }
}
