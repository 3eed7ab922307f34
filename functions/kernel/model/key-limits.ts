import * as z from 'zod';

export const PERIODS = ['second', 'minute', 'hour', 'day', 'month'] as const;
/** A month is 30 days. */
export const PERIOD_SECONDS = { second: 1, minute: 60, hour: 3600, day: 86_400, month: 30 * 86_400 } as const;
/** In the help of options. */
export const PERIODS_TEXT = 'second, minute, hour, day, month of 30 days';
export const BUDGET_PERIODS_TEXT = `${PERIODS_TEXT}, calendarMonth`;

const MAX_COUNT = 1_000_000_000;
/** Above it, rounding the bucket to whole microseconds would noticeably lower the rate. */
const MAX_PER_SECOND = 100_000;
/** Keeps a bucket's arithmetic within a double's 53 bits. */
const MAX_REFILL_SECONDS = 10 * 365 * 86_400;

export const rateLimitSchema = z
  .strictObject({
    requests: z.int().min(1).max(MAX_COUNT),
    period: z.enum(PERIODS),
    burst: z
      .int()
      .min(1)
      .max(MAX_COUNT)
      .optional()
      .meta({
        label: 'Burst',
        hint: 'Same as requests',
        option: {
          name: 'burst',
          format: 'count',
          value: 'N',
          help: 'Requests at once, with --rate. Default: the number of --rate.',
        },
      }),
  })
  .refine((limit) => limit.requests / PERIOD_SECONDS[limit.period] <= MAX_PER_SECOND, {
    error: `must not exceed ${MAX_PER_SECOND} requests per second`,
    path: ['requests'],
  })
  .refine((limit) => ((limit.burst ?? 0) * PERIOD_SECONDS[limit.period]) / limit.requests <= MAX_REFILL_SECONDS, {
    error: 'must be refilled within ten years',
    path: ['burst'],
  });
export type RateLimit = z.infer<typeof rateLimitSchema>;

const MAX_TOKENS = 1_000_000_000_000;
/** Above it, rounding the bucket to whole picoseconds would noticeably lower the rate. */
const MAX_TOKENS_PER_SECOND = 100_000_000;
/** Keeps nano-dollars within a double's 53 bits. */
const MAX_BUDGET_USD = 1_000_000;
const MIN_BUDGET_USD = 0.000001;

export const tokenLimitSchema = z
  .strictObject({ tokens: z.int().min(1).max(MAX_TOKENS), period: z.enum(PERIODS) })
  .refine((limit) => limit.tokens / PERIOD_SECONDS[limit.period] <= MAX_TOKENS_PER_SECOND, {
    error: `must not exceed ${MAX_TOKENS_PER_SECOND} tokens per second`,
    path: ['tokens'],
  });
export type TokenLimit = z.infer<typeof tokenLimitSchema>;

export const BUDGET_PERIODS = [...PERIODS, 'calendarMonth'] as const;

export const budgetSchema = z
  .strictObject({
    usd: z.number().min(MIN_BUDGET_USD).max(MAX_BUDGET_USD),
    period: z.enum(BUDGET_PERIODS),
    timeZone: z
      .string()
      .refine(isTimeZone, { error: 'must be the IANA name of a time zone, such as Europe/Berlin' })
      .optional()
      .meta({
        description: 'Of `calendarMonth`: the IANA name of the time zone whose months they are. Default: UTC.',
        label: 'Time zone',
        hint: 'Of the calendar month; UTC',
        option: {
          name: 'budget-time-zone',
          format: 'text',
          value: 'NAME',
          help: 'With --budget USD/calendarMonth: a time zone such as Europe/Berlin. Default: UTC.',
        },
      }),
  })
  .refine(({ period, timeZone }) => timeZone === undefined || period === 'calendarMonth', {
    error: 'is for the period calendarMonth',
    path: ['timeZone'],
  });

/** Whether a text is the name of a time zone, and not its distance from UTC. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}
export type BudgetLimit = z.infer<typeof budgetSchema>;

export const DEFAULT_RATE_LIMIT: RateLimit = { requests: 1000, period: 'hour' };
