/** Work over time: the clock, background tasks, batches, and long work in steps that share the process (`steps.ts`). */
export { BackgroundTasks } from './background-tasks.ts';
export { batchesOf, inParallel } from './batches.ts';
export type { Clock } from './clock.ts';
export { continued } from './continued.ts';
export { NamedBudget } from './named-budget.ts';
export {
  CpuBudget,
  finish,
  giveWayFor,
  LARGE_UNITS,
  neverPausing,
  runInSlices,
  type Scheduler,
  type Steps,
} from './steps.ts';
export { ERROR_BODY_MS, untilLate } from './until-late.ts';
