/**
 * Loaded before a process of the service (NODE_OPTIONS). What it takes for the time of day is off by as many milliseconds as the
 * file `clock` of its address says, from moment to moment; its monotonic clock and its timers go on, as when a machine's clock is set. And
 * when it stood still for lack of a processor, it says so in the file `standstills`: deadlines of a second run out then
 * by themselves.
 */
import { appendFileSync, readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 50;
const STOOD_STILL_MS = 300;

const Real = globalThis.Date;
const realNow = Real.now.bind(Real);
const settings = new URL(import.meta.url).searchParams;
const { clock: clockFile, standstills: standstillsFile, instance } = Object.fromEntries(settings);
let offMs = 0;
let lookedAt = performance.now();

function look() {
  const now = performance.now();
  const lateMs = now - lookedAt - LOOK_EVERY_MS;
  lookedAt = now;
  if (lateMs > STOOD_STILL_MS && standstillsFile !== undefined) {
    appendFileSync(standstillsFile, `${JSON.stringify({ instance, toMs: realNow(), ms: Math.ceil(lateMs) })}\n`);
  }
  if (clockFile === undefined) return;
  try {
    offMs = Number(readFileSync(clockFile, 'utf8')) || 0;
  } catch {
    // Being written: the next look finds it.
  }
}

look();
setInterval(look, LOOK_EVERY_MS).unref();
Real.now = () => realNow() + offMs;
globalThis.Date = new Proxy(Real, {
  construct: (target, given, asked) => Reflect.construct(target, given.length === 0 ? [Real.now()] : given, asked),
  apply: () => new Real(Real.now()).toString(),
});
