import * as z from 'zod';
import { isObject } from '../../../kernel/json/index.ts';

/** A file of a form, as the parsed form shows it. */
export const formFile = z.looseObject(
  { filename: z.string().optional(), bytes: z.int().min(1, 'must not be empty') },
  'must be a file',
);

/** The name of a model in a form. A line end could start a separate part, once the provider's prefix is removed. */
export const formModel = z
  .string()
  .max(256)
  .regex(/^[^\p{Cc}]+$/u, 'must be the name of a model');

/** Refuses files in any other field than `files`. */
export function refuseOtherFiles(files: readonly string[]) {
  return (fields: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void => {
    for (const [name, value] of Object.entries(fields)) {
      if (!files.includes(name) && (Array.isArray(value) ? value.some(isObject) : isObject(value)))
        context.addIssue({ code: 'custom', path: [name], message: 'must not be a file' });
    }
  };
}
