import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMs, treeCpuMs } from './process-usage.ts';

/** A busy machine imports LiteLLM's proxy in a minute. */
const START_MS = 240_000;
const MESSAGE_MS = 30_000;
const POLL_MS = 20;
const MEASURED = new URL('measured-process.mjs', import.meta.url).href;

/** The processes of a bench; whatever happens, they go when it goes. */
export class Processes {
  #children = [];
  #logDir;
  #killAll = () => {
    for (const child of this.#children) child.kill('SIGKILL');
  };

  /** Their output goes to files in `logDir`. */
  constructor(logDir) {
    this.#logDir = logDir;
    process.once('exit', this.#killAll);
    process.once('SIGTERM', () => process.exit(1));
  }

  /**
   * Starts a script that prints `ready URL`; returns its pid, that URL, and functions that read its CPU, output and memory, time
   * `JSON.parse` of a text in it, and stop it.
   */
  async start(name, script, { args = [], execArgv = [], env = {} } = {}) {
    const command = [process.execPath, '--import', MEASURED, ...execArgv, script, ...args];
    const readyUrl = (output) => /^ready (http\S+)$/m.exec(output)?.[1];
    const { child, ...started } = await this.#startCommand(name, { command, env, channel: 'ipc', readyUrl });
    return {
      ...started,
      cpuMs: () => cpuMs(child.pid),
      memory: (collects = false) => ask(child, { kind: collects ? 'collect' : 'memory' }),
      parseMs: (text) => ask(child, { kind: 'parse', text }),
    };
  }

  /**
   * The same for a server that is no script of Node and is ready once it responds at `healthPath` of its `url`. Its CPU is that of the
   * process and all that it has started.
   */
  async startProgram(name, command, { url, healthPath, env }) {
    const readyUrl = async () => ((await fetch(url + healthPath).catch(() => ({}))).ok ? url : undefined);
    const { child, ...started } = await this.#startCommand(name, { command, env, channel: 'ignore', readyUrl });
    return { ...started, cpuMs: () => treeCpuMs(child.pid) };
  }

  async #startCommand(name, { command: [program, ...args], env, channel, readyUrl }) {
    const log = path.join(this.#logDir, `${name}.log`);
    const output = openSync(log, 'w');
    const child = spawn(program, args, {
      stdio: ['ignore', output, output, channel],
      env: { ...process.env, ...env },
    });
    this.#children.push(child);
    const deadline = performance.now() + START_MS;
    for (;;) {
      const url = await readyUrl(readFileSync(log, 'utf8'));
      if (url !== undefined)
        return { child, pid: child.pid, url, output: () => readFileSync(log, 'utf8'), stop: () => stop(child) };
      if (child.exitCode !== null || performance.now() > deadline) {
        throw new Error(`${name} did not start:\n${readFileSync(log, 'utf8').slice(-2000)}`);
      }
      await sleep(POLL_MS);
    }
  }

  /** Starts a script that we talk with by messages. */
  fork(script) {
    const child = fork(script, [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    this.#children.push(child);
    return child;
  }

  async stopAll() {
    await Promise.all(this.#children.map(stop));
    process.off('exit', this.#killAll);
  }
}

/** The reply of measured-process.mjs in a started script. */
function ask(child, message) {
  child.send(message);
  return nextMessage(child);
}

/** The next message of a forked script; throws where it ends instead. */
export async function nextMessage(child, timeoutMs = MESSAGE_MS) {
  const waiting = new AbortController();
  const signal = AbortSignal.any([waiting.signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const exited = once(child, 'exit', { signal }).then(() =>
      Promise.reject(new Error('a process of the bench ended')),
    );
    const [message] = await Promise.race([once(child, 'message', { signal }), exited]);
    return message;
  } finally {
    waiting.abort();
  }
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
