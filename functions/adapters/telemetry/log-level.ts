import * as z from 'zod';
import { logger } from './logger.ts';

const LEVELS = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const;
export type LogLevel = (typeof LEVELS)[number];

/** `SVC_LOG_LEVEL`: the least that is written, in either case. */
export const logLevelSchema = z
  .string()
  .default('info')
  .transform((text) => text.toUpperCase())
  .pipe(z.enum(LEVELS, { error: 'must be debug, info, warn or error' }));

let least: LogLevel = 'INFO';

/** What this process writes from here on. */
export function setLogLevel(level: LogLevel): void {
  least = level;
  // Audit lines and metrics are written at INFO whatever the level: the logger must not drop them.
  logger.setLogLevel(level === 'DEBUG' ? 'DEBUG' : 'INFO');
}

export function isWritten(level: LogLevel): boolean {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(least);
}
