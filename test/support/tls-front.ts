import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createServer } from 'node:tls';

/** A server with TLS before one without: clients that refuse plain HTTP go through it. */
export interface TlsFront {
  readonly url: string;
  /** The certificate's file, for the client's list of authorities. */
  readonly certificate: string;
  close(): void;
}

/** Starts one before the server at this address; its certificate is made by `openssl`. */
export async function startTlsFront(target: string): Promise<TlsFront> {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-tls-'));
  const [key, certificate] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const named = [
    '-subj',
    '/CN=127.0.0.1',
    '-addext',
    'subjectAltName=IP:127.0.0.1',
    '-keyout',
    key,
    '-out',
    certificate,
  ];
  execFileSync('openssl', [...made, ...named], { stdio: 'ignore' });
  const { hostname, port } = new URL(target);
  const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (socket) => {
    const behind = connect(Number(port), hostname);
    socket.pipe(behind).pipe(socket);
    socket.on('error', () => behind.destroy());
    behind.on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    certificate,
    close() {
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
