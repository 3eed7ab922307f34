import path from 'node:path';

/** Variables for Node programs of ours that tests start often: code is compiled once for all of them. */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: path.resolve(import.meta.dirname, '../../node_modules/.cache/svc-compiled'),
};

/** Settings of a local service whose tests read no events: it does without two of its processes. */
export const WITHOUT_EVENTS = { SVC_RELAY_EVENTS: 'false' };

/** Variables for a local service that tests start often: besides, it is ready before its first request's code is compiled. */
export const QUICK_START = { ...COMPILE_CACHE, SVC_WARM_UP: 'false' };
