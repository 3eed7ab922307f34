import { startLocalProcess } from '../contract/local-process.ts';
import type { Service } from '../contract/service.ts';

type Start = (providers: Readonly<Record<string, string>>) => Promise<Service>;

/** The service behind the entry that run.mjs was asked for: the HTTP server, or the functions under AWS's runtime client. */
export const startService: Start =
  process.env.SVC_TEST_ENTRY === 'lambda'
    ? (await import('../runtime/start-functions.ts')).startFunctions
    : startLocalProcess;
