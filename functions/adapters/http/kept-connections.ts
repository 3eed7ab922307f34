import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { buildConnector, Client, type Dispatcher } from 'undici';

/** Measured by undici's timer, which fires up to a second late. */
const CONNECT_TIMEOUT_MS = 5_000;

/** For servers that send no keep-alive timeout. */
const KEEP_ALIVE_MS = 30_000;

/**
 * undici parses responses with WebAssembly, which V8 optimizes after three calls: 45 ms of CPU during the first request of a process, with
 * no measurable gain per call. This is the highest value of the flag: several hundred calls.
 */
setFlagsFromString('--wasm-tiering-budget=2147483647');

/**
 * Shared by all connections, since it keeps TLS sessions: later connections to a server open faster. HTTP/2 is off: a connection carries
 * one call, whose slow reader must slow down no other.
 */
const CONNECTING = { allowH2: false, timeout: CONNECT_TIMEOUT_MS, keepAliveInitialDelay: KEEP_ALIVE_MS };
const connectAnywhere = buildConnector(CONNECTING);

export type Connector = ReturnType<typeof buildConnector>;

/** Opens connections to these addresses only: a name is refused if one of its addresses is not allowed. */
export function connectorTo(allows: (address: string) => boolean): Connector {
  const checked: LookupFunction = (name, options, callback) =>
    lookup(name, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '');
      const [first] = found;
      if (first === undefined || !found.every(({ address }) => allows(address)))
        return callback(Object.assign(new Error('the address is not allowed'), { code: 'EACCES' }), '');
      return options.all ? callback(null, found) : callback(null, first.address, first.family);
    });
  return buildConnector({ ...CONNECTING, lookup: checked });
}

/** Idle connections to one origin. New ones are opened on demand; each carries one call at a time. */
export class KeptConnections {
  private readonly origin: string;
  private readonly connect: Connector;
  private readonly free: Connection[] = [];

  constructor(origin: string, connect: Connector = connectAnywhere) {
    this.origin = origin;
    this.connect = connect;
  }

  /** The most recently returned connection, or a new one. The caller returns it, or drops it if the call failed. */
  take(): Connection {
    return this.free.pop() ?? this.open();
  }

  /** A new connection. */
  open(): Connection {
    return new Connection(this.origin, this.connect, (closed) => this.remove(closed));
  }

  giveBack(connection: Connection): void {
    this.free.push(connection);
  }

  private remove(connection: Connection): void {
    const index = this.free.indexOf(connection);
    if (index >= 0) this.free.splice(index, 1);
  }
}

/** A connection: opened by its first call, and reopened by a call that finds it closed before anything was sent. */
export class Connection {
  private readonly client: Client;
  private used = false;

  constructor(origin: string, connect: Connector, onClose: (connection: Connection) => void) {
    // Each call has its own deadlines.
    this.client = new Client(origin, {
      connect,
      allowH2: false,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.client.on('disconnect', () => {
      this.used = false;
      onClose(this);
    });
  }

  /** Whether a call has been written to it since it was opened. */
  get isUsed(): boolean {
    return this.used;
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.client.dispatch(options, handler);
  }

  /** Called when a call is written to it. */
  use(): void {
    this.used = true;
  }

  /** Permanently: undici would reopen it for the abandoned call and keep it. */
  drop(): void {
    void this.client.destroy();
  }
}
