import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const TYPE_A = 1;
const HEADER_BYTES = 12;

export interface NameServer {
  /** For `Resolver.setServers`. */
  readonly server: string;
  /** How often an IPv4 address was requested. */
  readonly asked: () => number;
  stop(): Promise<void>;
}

/** A real name server on a local port. It returns the addresses one per query, and then repeats the last one. */
export async function startNameServer(addresses: readonly string[]): Promise<NameServer> {
  const socket = createSocket('udp4');
  let asked = 0;
  socket.on('message', (question, from) => {
    const nameEnd = question.indexOf(0, HEADER_BYTES) + 1;
    const wantsA = question.readUInt16BE(nameEnd) === TYPE_A;
    const address = addresses[Math.min(asked, addresses.length - 1)] as string;
    if (wantsA) asked += 1;
    const header = Buffer.from(question.subarray(0, HEADER_BYTES));
    // A response, recursion available, no error; one question, this many responses.
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(wantsA ? 1 : 0, 6);
    header.writeUInt32BE(0, 8);
    // The name as a pointer to the question, type A, class IN, TTL 0 (no caching).
    const record = Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]);
    socket.send(
      Buffer.concat([header, question.subarray(HEADER_BYTES, nameEnd + 4), ...(wantsA ? [record] : [])]),
      from.port,
      from.address,
    );
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    server: `127.0.0.1:${socket.address().port}`,
    asked: () => asked,
    stop: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}
