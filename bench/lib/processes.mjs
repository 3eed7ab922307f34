import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const START_MS = 30_000;
const POLL_MS = 20;
const TELL_MEMORY = new URL('tell-memory.mjs', import.meta.url).href;

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
  }

  /** Starts a script that prints `ready URL`; returns its pid, that URL, and functions that read its output and memory and stop it. */
  async start(name, script, { args = [], execArgv = [], env = {} } = {}) {
    const log = path.join(this.#logDir, `${name}.log`);
    const output = openSync(log, 'w');
    const child = spawn(process.execPath, ['--import', TELL_MEMORY, ...execArgv, script, ...args], {
      stdio: ['ignore', output, output, 'ipc'],
      env: { ...process.env, ...env },
    });
    this.#children.push(child);
    const deadline = performance.now() + START_MS;
    for (;;) {
      const [, url] = /^ready (http\S+)$/m.exec(readFileSync(log, 'utf8')) ?? [];
      if (url !== undefined)
        return {
          pid: child.pid,
          url,
          output: () => readFileSync(log, 'utf8'),
          memory: (collects = false) => memoryOf(child, collects),
          stop: () => stop(child),
        };
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

/** `process.memoryUsage()` of a started script, with `collects` after a collection of its garbage. */
function memoryOf(child, collects) {
  child.send(collects ? 'collect' : 'memory');
  return nextMessage(child);
}

/** The next message of a forked script; throws where it ends instead. */
export async function nextMessage(child, timeoutMs = START_MS) {
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
