import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMs } from './process-usage.ts';

const TITLE = 'svc-streams';
const CATCH_UP_MS = 60_000;
const POLL_MS = 50;

/**
 * The process that counts records into totals beside a local gateway, like the separate function on AWS, and relays events. It is paused
 * during measurements, since it would take one of the few cores, and catches up between them.
 */
export class PausedCounter {
  #pid;
  #storesPid;
  #summary;

  /** `summary` returns how many requests are counted, after counting those that wait. */
  constructor({ gatewayPid, storesPid, summary }) {
    this.#pid = childNamed(gatewayPid, TITLE);
    this.#storesPid = storesPid;
    this.#summary = summary;
    process.kill(this.#pid, 'SIGSTOP');
  }

  /** Has all records counted. Resolves to the CPU that this took, milliseconds: the counter's, and the stores' for it. */
  async catchUp() {
    const pids = [this.#pid, this.#storesPid];
    const before = pids.map(cpuMs);
    process.kill(this.#pid, 'SIGCONT');
    const deadline = performance.now() + CATCH_UP_MS;
    let counted = -1;
    for (;;) {
      const now = await this.#summary();
      if (now === counted) break;
      if (performance.now() > deadline) throw new Error('the counter does not catch up');
      counted = now;
      await sleep(POLL_MS);
    }
    process.kill(this.#pid, 'SIGSTOP');
    const [counter, stores] = pids.map((pid, at) => cpuMs(pid) - before[at]);
    return { counter, stores };
  }

  /** Lets it go on, so that it can end with its gateway. */
  release() {
    try {
      process.kill(this.#pid, 'SIGCONT');
    } catch {
      // It has ended.
    }
  }
}

function childNamed(parentPid, title) {
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const [, parent] = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${entry}/status`, 'utf8')) ?? [];
      const isNamed = readFileSync(`/proc/${entry}/cmdline`, 'utf8').startsWith(title);
      if (Number(parent) === parentPid && isNamed) return Number(entry);
    } catch {
      // It ended meanwhile.
    }
  }
  throw new Error(`the gateway has no process ${title}`);
}
