/**
 * What AWS publishes about its own bounds, per region, as known on 2026-11-21. "Quota" can be raised by asking.
 * https://docs.aws.amazon.com/lambda/latest/dg/scaling-behavior.html
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput-scenarios.html
 */
export const PUBLISHED = {
  lambda: {
    /** Quota of an account: environments that run at once, of all functions. */
    concurrency: 1_000,
    /** Environments that a function may gain in ten seconds; it is refilled all the time and does not add up. */
    gain: 1_000,
    gainSeconds: 10,
    /** Requests a second for each environment that a function may have. */
    requestsPerEnvironment: 10,
  },
  dynamodb: {
    /** Write units a second that one partition takes. */
    partitionWrites: 1_000,
    /** What a new table takes at once, write units a second. */
    firstWarmWrites: 4_000,
    /** A table takes twice its former peak; more than that comes within this time. */
    doublingMinutes: 30,
    /** Quota of a table, write units a second. */
    tableWrites: 40_000,
  },
} as const;
