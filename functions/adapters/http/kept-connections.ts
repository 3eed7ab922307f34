import { setFlagsFromString } from 'node:v8';
import { buildConnector, Client, type Dispatcher } from 'undici';

/** Measured by undici's timer, which fires up to a second late. */
const CONNECT_TIMEOUT_MS = 5_000;

/** For a server that names no time of its own. */
const KEEP_ALIVE_MS = 30_000;

/**
 * undici parses responses with WebAssembly, which V8 optimizes after three calls: 45 ms of CPU during the first request of a
 * process, with no measurable gain per call. This is the highest value of the flag: some hundred calls.
 */
setFlagsFromString('--wasm-tiering-budget=2147483647');

/** One for all connections: it keeps the sessions of TLS, so that the next one to a server is opened by less. */
const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS, keepAliveInitialDelay: KEEP_ALIVE_MS });

/** The connections to one origin that are free. As many as are asked for are opened; each carries one call at a time. */
export class KeptConnections {
  private readonly origin: string;
  private readonly free: Connection[] = [];

  constructor(origin: string) {
    this.origin = origin;
  }

  /** The one that was given back last, else a new one. Who takes it gives it back, or drops it where its call failed. */
  take(): Connection {
    return this.free.pop() ?? this.open();
  }

  /** One that has carried nothing yet. */
  open(): Connection {
    return new Connection(this.origin, (closed) => this.remove(closed));
  }

  giveBack(connection: Connection): void {
    this.free.push(connection);
  }

  private remove(connection: Connection): void {
    const index = this.free.indexOf(connection);
    if (index >= 0) this.free.splice(index, 1);
  }
}

/** A connection: opened by its first call, and again by one that finds it closed before anything was sent. */
export class Connection {
  private readonly client: Client;
  private used = false;

  constructor(origin: string, onClose: (connection: Connection) => void) {
    // Each call has deadlines of its own.
    this.client = new Client(origin, { connect, keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: 0, bodyTimeout: 0 });
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

  /** Told by the handler of a call when it is being written. */
  use(): void {
    this.used = true;
  }

  /** For good: undici would open it again for the call that was given up, and keep it. */
  drop(): void {
    void this.client.destroy();
  }
}
