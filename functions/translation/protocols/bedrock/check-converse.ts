import * as z from 'zod';
import { toValidationError } from '../../../kernel/errors/index.ts';
import type { Steps } from '../../../kernel/tasks/index.ts';
import { CONVERSE_PARTS, type ConverseBody } from './converse-schema.ts';

/** So many entries of a list take about a millisecond. */
export const AT_ONCE = 256;

type Path = readonly (string | number)[];

/** A body of Converse, checked in steps: 5 MB of short blocks take a second. @throws GatewayError that names the first wrong field */
export function* checkConverse(value: unknown): Steps<ConverseBody> {
  const { body, message, block, resultContent, systemBlock, tool } = CONVERSE_PARTS;
  yield* check(body, [value], [], value);
  const checked = value as ConverseBody;
  yield* check(message, checked.messages, ['messages'], value);
  for (const [at, { content }] of checked.messages.entries()) {
    const path = ['messages', at, 'content'];
    yield* check(block, content, path, value);
    for (const [index, { toolResult }] of content.entries()) {
      if (toolResult === undefined) continue;
      yield* check(resultContent, toolResult.content, [...path, index, 'toolResult', 'content'], value);
    }
  }
  if (checked.system) yield* check(systemBlock, checked.system, ['system'], value);
  if (checked.toolConfig) yield* check(tool, checked.toolConfig.tools, ['toolConfig', 'tools'], value);
  return checked;
}

/** Checks the entries of the list at that path of the body; without a path, the body. */
function* check(schema: z.ZodType, list: readonly unknown[], path: Path, value: unknown): Steps<void> {
  for (const [at, entry] of list.entries()) {
    const read = schema.safeParse(entry);
    if (!read.success) {
      const place = path.length === 0 ? [] : [...path, at];
      const issues = read.error.issues.map((issue) => ({ ...issue, path: [...place, ...issue.path] }));
      throw toValidationError(new z.ZodError(issues), value);
    }
    if (at % AT_ONCE === AT_ONCE - 1) yield;
  }
  yield;
}
