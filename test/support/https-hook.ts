/**
 * Loaded before a process of the service: each https connection leads to a server of the test, without TLS. The `Host` header names the
 * server that was meant, so that fixed addresses of providers can be called in tests.
 */
const HOOK = `
import net from 'node:net';
import tls from 'node:tls';
const port = Number(process.env.SVC_TEST_HTTPS_PORT);
tls.connect = () => {
  const socket = net.connect(port, '127.0.0.1');
  socket.on('connect', () => socket.emit('secureConnect'));
  return socket;
};
`;

/** The environment of a process whose https connections lead to this port. */
export function httpsLeadsTo(url: string): Readonly<Record<string, string>> {
  return {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(HOOK)}`,
    SVC_TEST_HTTPS_PORT: new URL(url).port,
  };
}
