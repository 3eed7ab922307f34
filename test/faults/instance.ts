import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ENTRY } from '../contract/local-process.ts';
import { DEADLINE_MS } from '../support/eventually.ts';
import { processesWith } from '../support/processes-with.ts';
import { preloadOf } from './standstills.ts';

const STARTS = 10;

/** The processes of the local service that run background tasks. */
export const PARTS = ['svc-streams', 'svc-webhooks'] as const;
export type Part = (typeof PARTS)[number];

export interface InstanceOptions {
  readonly number: number;
  /** Names this soak among others on the machine. */
  readonly name: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** The file in which its processes report when they had no processor. */
  readonly standstills: string;
  /** Called at each start; the returned function receives everything that is printed from then on. */
  readonly onStart: () => (text: string) => void;
}

/** The local service as separate processes that can be killed and restarted, with a clock that can be set. */
export class Instance {
  readonly number: number;
  /** Ends in `/v1`; undefined while it does not serve. */
  baseUrl: string | undefined;
  /** How far its time of day is off, milliseconds. */
  clockOffMs = 0;
  private readonly options: InstanceOptions;
  private readonly mark: string;
  private readonly clockFile: string;
  private child: ChildProcess | undefined;

  constructor(options: InstanceOptions) {
    this.options = options;
    this.number = options.number;
    this.mark = `${options.name}-${options.number}`;
    this.clockFile = path.join(options.folder, `clock-${options.number}`);
  }

  /** Its processes follow within a twentieth of a second. */
  async setClock(offMs: number): Promise<void> {
    this.clockOffMs = offMs;
    await writeFile(this.clockFile, String(offMs));
  }

  /** Starts it and waits until it serves. */
  async start(): Promise<void> {
    const { folder, env, standstills, onStart } = this.options;
    const print = onStart();
    const child = spawn(process.execPath, [ENTRY], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        SVC_DATA_DIR: folder,
        SVC_SOAK_INSTANCE: this.mark,
        NODE_OPTIONS: `--import ${preloadOf({ standstills, clock: this.clockFile, instance: this.mark })}`,
        ...env,
      },
    });
    this.child = child;
    let head = '';
    const ready = new Promise<string>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`instance ${this.number} did not start:\n${head}`)), DEADLINE_MS);
      const look = (bytes: Buffer) => {
        const text = bytes.toString('utf8');
        print(text);
        if (this.baseUrl !== undefined) return;
        head += text;
        const address = /^ready (http:\/\/\S+\/v1)$/m.exec(head)?.[1];
        if (address === undefined) return;
        clearTimeout(late);
        resolve(address);
      };
      child.stdout?.on('data', look);
      child.stderr?.on('data', look);
      child.once('exit', () => {
        clearTimeout(late);
        reject(new Error(`instance ${this.number} ended:\n${head}`));
      });
    });
    this.baseUrl = await ready;
  }

  /** Starts it however often it takes: a store that is away just then ends it again. */
  async startAgain(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.start();
      } catch (error) {
        if (tries === STARTS) throw error;
        await this.kill();
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    }
  }

  /** SIGKILL to all of its processes. */
  async kill(): Promise<void> {
    const child = this.child;
    if (child === undefined) return;
    this.baseUrl = undefined;
    this.child = undefined;
    const exited = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
    const parts = await this.processes();
    child.kill('SIGKILL');
    for (const pid of parts.values()) endNow(pid);
    await exited;
  }

  /** SIGKILL to one of its parts. @returns whether it was there */
  async killPart(part: Part): Promise<boolean> {
    const pid = (await this.processes()).get(part);
    if (pid !== undefined) endNow(pid);
    return pid !== undefined;
  }

  /** SIGTERM, as for a new version; waits until it has ended. */
  async stop(): Promise<void> {
    const child = this.child;
    if (child === undefined) return;
    this.baseUrl = undefined;
    this.child = undefined;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  }

  private processes(): Promise<Map<string, number>> {
    return processesWith('SVC_SOAK_INSTANCE', this.mark);
  }
}

function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself meanwhile.
  }
}
