import type { BackgroundTasks } from '../kernel/tasks/index.ts';

export interface ServedRequest {
  /** Resolves when its response may end. */
  settled(): Promise<void>;
  /** Must be called once it is served, however it ended. */
  close(): void;
}

/**
 * Keeps a platform from freezing a process with unfinished background tasks: while no other request runs, a response ends after them. A
 * request that ends beside others leaves its tasks to the last of them, so a busy process adds no delay.
 */
export class LastRequest {
  private readonly tasks: BackgroundTasks;
  private running = 0;
  private arrival = Promise.withResolvers<void>();

  constructor(tasks: BackgroundTasks) {
    this.tasks = tasks;
  }

  begin(): ServedRequest {
    this.running += 1;
    this.arrival.resolve();
    this.arrival = Promise.withResolvers();
    let open = true;
    const close = () => {
      if (open) this.running -= 1;
      open = false;
    };
    return {
      close,
      settled: async () => {
        while (open && this.running === 1 && !this.tasks.isIdle) {
          await Promise.race([this.tasks.idle(), this.arrival.promise]);
        }
        // From here on another request is the last one.
        close();
      },
    };
  }
}
