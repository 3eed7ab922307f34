import { processesWith } from './processes-with.ts';

const MARK = 'SVC_TEST_FAULT';
const HOOK = `process.on('SIGUSR2',()=>setImmediate(()=>{throw new TypeError('the planted prompt')}))`;

/** A way to make a process throw an error outside of any call. Linux only. */
export interface FaultHook {
  /** Variables of the process. */
  readonly env: Readonly<Record<string, string>>;
  /** Throws `TypeError: the planted prompt` in it. */
  raise(): Promise<void>;
}

export function createFaultHook(): FaultHook {
  const mark = crypto.randomUUID();
  return {
    env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(HOOK)}`, [MARK]: mark },
    raise: async () => {
      const [pid] = (await processesWith(MARK, mark)).values();
      process.kill(pid as number, 'SIGUSR2');
    },
  };
}
