import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';

const RUNTIME_CLIENT = path.join(import.meta.dirname, 'node_modules/aws-lambda-ric/index.mjs');
const API = '/2018-06-01/runtime/';

export interface InvocationError {
  readonly errorType: string;
  readonly errorMessage: string;
}

/** How the response to one invocation arrives: a stream in pieces or one result, or an error at any time. */
export interface InvocationOutcome {
  streamStarted(contentType: string): void;
  /** Resolves when the next piece may come. */
  chunk(chunk: Buffer): Promise<void>;
  streamEnded(): void;
  returned(result: unknown): void;
  failed(error: InvocationError): void;
}

export interface Invocation {
  readonly id: string;
  readonly event: unknown;
  readonly outcome: InvocationOutcome;
}

export interface SandboxOptions {
  /** The folder that would be in the zip file. */
  readonly bundleDir: string;
  /** As in the function's configuration: `index.handler`. */
  readonly handler: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /**
   * Invocations that the process serves at once, in the client's multi-concurrency mode, in one worker; 1 where absent. Such a
   * process is not frozen.
   */
  readonly concurrency?: number;
  /** Each line that the process prints. */
  readonly log: (line: string) => void;
  /** Waits for the next invocation. */
  readonly take: (signal: AbortSignal) => Promise<Invocation>;
}

/**
 * One execution environment: AWS's runtime client in a separate process, with our Runtime API. As in Lambda
 * it serves one invocation at a time (or several, if configured), is frozen between them, and is killed when one takes too long.
 * https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 */
export class Sandbox {
  /** Resolves when the process has ended, for whatever reason. */
  readonly exited: Promise<void>;
  private readonly options: SandboxOptions;
  private readonly server: Server;
  private readonly ended = new AbortController();
  private readonly exit = Promise.withResolvers<void>();
  private readonly ready = Promise.withResolvers<void>();
  private process: ChildProcess | undefined;
  private readonly running = new Map<string, { readonly invocation: Invocation; readonly timer: NodeJS.Timeout }>();
  private freed = () => {};

  private constructor(options: SandboxOptions) {
    this.options = options;
    this.exited = this.exit.promise;
    this.server = createServer((request, response) => {
      this.serve(request, response).catch((error: unknown) => {
        options.log(`[sandbox] ${error}`);
        response.destroy();
      });
    });
    // With the default of 5 s, a longer handler would post its response to a connection that is being closed.
    this.server.keepAliveTimeout = 0;
  }

  /** Resolves when the handler's module has been loaded; rejects with what its loading threw. */
  static async start(options: SandboxOptions): Promise<Sandbox> {
    const sandbox = new Sandbox(options);
    sandbox.server.listen(0, '127.0.0.1');
    await once(sandbox.server, 'listening');
    sandbox.spawn((sandbox.server.address() as AddressInfo).port);
    try {
      await sandbox.ready.promise;
    } catch (error) {
      await sandbox.stop();
      throw error;
    }
    return sandbox;
  }

  async stop(): Promise<void> {
    this.process?.kill('SIGKILL');
    await this.exited;
  }

  private spawn(port: number): void {
    const { bundleDir, handler, env, log, concurrency = 1 } = this.options;
    const several = { AWS_LAMBDA_MAX_CONCURRENCY: String(concurrency), AWS_LAMBDA_NODEJS_WORKER_COUNT: '1' };
    const child = spawn(process.execPath, [RUNTIME_CLIENT], {
      cwd: bundleDir,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        ...environment(bundleDir, handler),
        ...(concurrency > 1 && several),
        ...env,
        AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${port}`,
      },
    });
    this.process = child;
    for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', log);
    child.once('close', (code, signal) => {
      const exit = `exited with ${code ?? signal}`;
      log(`[sandbox] ${exit}`);
      this.ended.abort();
      this.ready.reject(new Error(`the runtime ${exit} before it was ready`));
      for (const id of [...this.running.keys()]) {
        this.finish(id)?.outcome.failed({ errorType: 'Runtime.ExitError', errorMessage: exit });
      }
      this.server.closeAllConnections();
      this.server.close();
      this.exit.resolve();
    });
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [first, second, third] = (request.url ?? '').slice(API.length).split('/');
    if (first === 'init' && second === 'error') return this.refuse(request, response);
    if (first !== 'invocation') return answer(response, 404);
    if (second === 'next') return this.next(response);
    const invocation = this.running.get(second ?? '')?.invocation;
    if (invocation === undefined) return answer(response, 400);
    if (third === 'error') return this.fail(invocation, request, response);
    return this.respond(invocation, request, response);
  }

  private async refuse(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const error = (await buffer(request)).toString();
    answer(response, 202);
    this.ready.reject(new Error(`the handler could not be loaded: ${error}`));
  }

  private async next(response: ServerResponse): Promise<void> {
    this.ready.resolve();
    const { timeoutMs, concurrency = 1, take } = this.options;
    // Work that a handler leaves for after its response is frozen from here on, as in Lambda.
    if (concurrency === 1) this.process?.kill('SIGSTOP');
    while (this.running.size >= concurrency) {
      await new Promise<void>((resolve) => {
        this.freed = resolve;
      });
    }
    const invocation = await take(this.ended.signal);
    const timer = setTimeout(() => this.timeOut(invocation.id), timeoutMs);
    this.running.set(invocation.id, { invocation, timer });
    if (concurrency === 1) this.process?.kill('SIGCONT');
    answer(response, 200, JSON.stringify(invocation.event), {
      'Lambda-Runtime-Aws-Request-Id': invocation.id,
      'Lambda-Runtime-Deadline-Ms': String(Date.now() + timeoutMs),
      'Lambda-Runtime-Invoked-Function-Arn': 'arn:aws:lambda:eu-central-1:000000000000:function:local:live',
      'Lambda-Runtime-Trace-Id': 'Root=1-5bef4de7-ad49b0e87f6ef6c87fc2e700;Parent=9a9197af755a6419;Sampled=0',
    });
  }

  private async fail({ id }: Invocation, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const error: InvocationError = JSON.parse((await buffer(request)).toString());
    this.finish(id)?.outcome.failed(error);
    answer(response, 202);
  }

  private async respond(
    { id, outcome }: Invocation,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (request.headers['lambda-runtime-function-response-mode'] !== 'streaming') {
      const result: unknown = JSON.parse((await buffer(request)).toString());
      outcome.returned(result);
    } else {
      outcome.streamStarted(request.headers['content-type'] ?? 'application/octet-stream');
      for await (const chunk of request) await outcome.chunk(chunk);
      // An error after the start of the stream is reported in trailers, even if no byte was sent.
      const errorBody = request.trailers['lambda-runtime-function-error-body'];
      if (errorBody === undefined) outcome.streamEnded();
      else outcome.failed(JSON.parse(Buffer.from(errorBody, 'base64').toString()));
    }
    this.finish(id);
    answer(response, 202);
  }

  private timeOut(id: string): void {
    const errorMessage = `Task timed out after ${this.options.timeoutMs / 1000} seconds`;
    this.finish(id)?.outcome.failed({ errorType: 'Sandbox.Timedout', errorMessage });
    this.process?.kill('SIGKILL');
  }

  private finish(id: string): Invocation | undefined {
    const ended = this.running.get(id);
    clearTimeout(ended?.timer);
    this.running.delete(id);
    this.freed();
    return ended?.invocation;
  }
}

function answer(response: ServerResponse, status: number, body = '{}', headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

/** What Lambda sets in a Node 24 function that logs in JSON. */
function environment(bundleDir: string, handler: string): Record<string, string> {
  return {
    _HANDLER: handler,
    LAMBDA_TASK_ROOT: bundleDir,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: 'local',
    AWS_LAMBDA_FUNCTION_VERSION: '1',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '1024',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_FORMAT: 'JSON',
    AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/local',
    AWS_LAMBDA_LOG_STREAM_NAME: 'local',
    AWS_REGION: 'eu-central-1',
    AWS_DEFAULT_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    TZ: ':UTC',
  };
}
