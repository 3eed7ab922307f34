import { TestEnvironment } from 'jest-environment-node';

/** Where Node's fetch keeps what it connects with; Google's SDK looks for it, and jest's contexts do not show it. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

/** Node's globals as outside jest. */
export default class ClientEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    // It is made when it is first needed.
    new Headers();
    this.global[DISPATCHER] = globalThis[DISPATCHER];
  }
}
