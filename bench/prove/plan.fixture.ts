import { HOMES, type Plan } from './plan.ts';

export const ACCOUNT = '123456789012';
/** A proof of all homes with little load. */
export const PLAN: Plan = {
  settings: {
    stage: 'Staging',
    account: ACCOUNT,
    region: 'eu-central-1',
    logRetentionDays: 30,
    memoryMb: 1_024,
    tracing: false,
  },
  region: 'eu-central-1',
  homes: HOMES,
  load: { rate: 10, seconds: 1 },
  metricsLateSeconds: 0,
  isExisting: false,
  keeps: false,
};
