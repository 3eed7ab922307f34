import { type HttpClient, HttpFailure, type HttpRequest, type HttpResponse } from '../../core/base/http-client.ts';
import type { Connection, KeptConnections } from './kept-connections.ts';
import { OutgoingCall, StaleConnection } from './outgoing-call.ts';

const MAX_TARGETS = 1_000;

interface Target {
  readonly connections: KeptConnections;
  readonly path: string;
}

/** HTTP/1.1 over undici's connections, which are kept alive: less than half of the CPU time that Node's own client takes. */
export class UndiciHttpClient implements HttpClient {
  private readonly connections = new Map<string, KeptConnections>();
  private readonly targets = new Map<string, Target>();
  private kept: typeof import('./kept-connections.ts') | undefined;

  async send(request: HttpRequest): Promise<HttpResponse> {
    // It brings undici, which a start need not wait for and some functions never call.
    this.kept ??= await import('./kept-connections.ts');
    if (request.signal?.aborted) throw new HttpFailure('aborted', false);
    const { connections, path } = this.target(request.url, this.kept);
    try {
      return await attempt(request, path, connections, connections.take());
    } catch (error) {
      // The other side may have closed a kept connection just now: what most likely never got there goes once more.
      if (!(error instanceof StaleConnection) || (request.once && error.sent)) throw error;
      return attempt(request, path, connections, connections.open());
    }
  }

  /** The parts of an address; a deployment calls few, so each is taken apart once. */
  private target(address: string, kept: typeof import('./kept-connections.ts')): Target {
    let target = this.targets.get(address);
    if (!target) {
      const { origin, pathname, search } = new URL(address);
      const connections = this.connections.get(origin) ?? new kept.KeptConnections(origin);
      this.connections.set(origin, connections);
      target = { connections, path: pathname + search };
      if (this.targets.size >= MAX_TARGETS) this.targets.clear();
      this.targets.set(address, target);
    }
    return target;
  }
}

function attempt(
  request: HttpRequest,
  path: string,
  connections: KeptConnections,
  connection: Connection,
): Promise<HttpResponse> {
  return new Promise((onHead, onFailure) => {
    const { method, headers, body = null } = request;
    const onWhole = () => connections.giveBack(connection);
    const call = new OutgoingCall({ request, connection, onHead, onWhole, onFailure });
    connection.dispatch({ path, method, headers, body }, call);
  });
}
