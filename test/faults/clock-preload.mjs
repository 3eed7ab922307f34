/**
 * Loaded before a process of the service (NODE_OPTIONS): what it takes for the time of day is off by as many milliseconds as the
 * file SVC_SOAK_CLOCK says, from moment to moment. Its monotonic clock and its timers go on, as when a machine's clock is set.
 */
import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 50;

const Real = globalThis.Date;
const realNow = Real.now.bind(Real);
let offMs = 0;

function look() {
  try {
    offMs = Number(readFileSync(process.env.SVC_SOAK_CLOCK, 'utf8')) || 0;
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
