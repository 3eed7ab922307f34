import { type ChildProcess, fork, type Serializable } from 'node:child_process';
import { once } from 'node:events';
import { logHelperEnd } from './local-log.ts';

/** Also on a machine that is busy with other programs. */
const START_MS = 120_000;
/** Of the first restart; doubled at each further one. */
const RESTART_MS = 1_000;
const LONGEST_RESTART_MS = 30_000;
/** A process that ran this long starts the pauses again. */
const STEADY_MS = 60_000;

export interface HelperOptions {
  /** Its title in the list of processes. */
  readonly name: string;
  /** What does not work while it does not run. */
  readonly effect: string;
  /** False for a process that the service cannot run without. */
  readonly isRestarted: boolean;
  readonly script: string;
  readonly args?: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Takes its messages after the first. */
  readonly onMessage?: (message: unknown) => void;
}

/** A part of the service in a separate process. */
export interface Helper {
  readonly name: string;
  isRunning(): boolean;
  /** Sends a message, which only that process can read; false if it does not run. */
  send(message: Serializable): boolean;
  /** Resolves when it ends, unless it is started again. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/**
 * The helper processes of a local run. One that ends is logged, and started again after a pause; if the service cannot run
 * without it, `failed` resolves instead.
 */
export class HelperProcesses {
  private readonly helpers: HelperProcess[] = [];
  private readonly end = Promise.withResolvers<void>();

  /** Resolves when the service has to stop. */
  get failed(): Promise<void> {
    return this.end.promise;
  }

  /** Starts a helper and returns it with its first message. */
  async start<Message>(options: HelperOptions): Promise<{ helper: Helper; message: Message }> {
    const helper = new HelperProcess(options, this.end.resolve);
    const message = (await helper.start()) as Message;
    this.helpers.push(helper);
    return { helper, message };
  }

  /** Of those that are started again. */
  states(): Readonly<Record<string, 'ok' | 'unavailable'>> {
    const restarted = this.helpers.filter(({ options }) => options.isRestarted);
    return Object.fromEntries(
      restarted.map((helper) => [helper.name, helper.isRunning() ? ('ok' as const) : ('unavailable' as const)]),
    );
  }

  /** From now on a helper may end, as when a signal reaches all processes. */
  expectEnds(): void {
    for (const helper of this.helpers) helper.isEndExpected = true;
  }
}

class HelperProcess implements Helper {
  readonly options: HelperOptions;
  isEndExpected = false;
  private readonly onFailed: () => void;
  private child: ChildProcess | undefined;
  private exited: Promise<undefined> = Promise.resolve(undefined);
  private isReady = false;
  private restarts = 0;
  private restarting: NodeJS.Timeout | undefined;

  constructor(options: HelperOptions, onFailed: () => void) {
    this.options = options;
    this.onFailed = onFailed;
  }

  get name(): string {
    return this.options.name;
  }

  isRunning(): boolean {
    return this.isReady;
  }

  /** Resolves to the first message. */
  async start(): Promise<unknown> {
    const { name, script, args = [], env, onMessage } = this.options;
    const child = fork(script, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [], env });
    this.child = child;
    const startedAt = performance.now();
    this.exited = once(child, 'exit').then(
      () => undefined,
      () => undefined,
    );
    const message = once(child, 'message', { signal: AbortSignal.timeout(START_MS) });
    const first = await Promise.race([message, this.exited]).catch(() => undefined);
    if (first === undefined) {
      child.kill('SIGKILL');
      await this.exited;
      throw new Error(`${name} did not start`);
    }
    this.isReady = true;
    if (onMessage !== undefined) child.on('message', onMessage);
    child.once('exit', (exitCode, signal) => this.onExit(exitCode, signal, performance.now() - startedAt));
    return first[0];
  }

  get ended(): Promise<void> {
    return this.exited.then(() => {});
  }

  send(message: Serializable): boolean {
    // The callback keeps a process that ends just now from being an error of this one.
    return this.isReady && this.child?.connected === true && this.child.send(message, () => {});
  }

  async stop(): Promise<void> {
    this.isEndExpected = true;
    clearTimeout(this.restarting);
    const { child } = this;
    if (child?.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await this.exited;
  }

  private onExit(exitCode: number | null, signal: string | null, ranMs: number): void {
    this.isReady = false;
    if (this.isEndExpected) return;
    const { name, effect, isRestarted } = this.options;
    if (ranMs >= STEADY_MS) this.restarts = 0;
    const pauseMs = isRestarted ? Math.min(RESTART_MS * 2 ** this.restarts, LONGEST_RESTART_MS) : undefined;
    logHelperEnd({
      process: name,
      exitCode,
      signal,
      effect,
      restartSeconds: pauseMs === undefined ? null : pauseMs / 1_000,
    });
    if (pauseMs === undefined) this.onFailed();
    else this.restartAfter(pauseMs);
  }

  private restartAfter(pauseMs: number): void {
    this.restarts += 1;
    this.restarting = setTimeout(() => {
      const again = () => this.onExit(this.child?.exitCode ?? null, this.child?.signalCode ?? null, 0);
      this.start().catch(again);
    }, pauseMs).unref();
  }
}
