import { readFileSync } from 'node:fs';
import { type PolicySettings, policySchema } from '../../functions/kernel/model/index.ts';

const page = readFileSync(new URL('../../docs/reference/tool-rules.md', import.meta.url), 'utf8');

/** The page about rules for tools. */
export const TOOL_RULES = page;

/** Its example policies, by the kind of agent. */
export const EXAMPLE_POLICIES: Readonly<Record<string, PolicySettings>> = Object.fromEntries(
  [...TOOL_RULES.matchAll(/\*\*An? (\w+) agent\*\*.*?```json\n(.*?)```/gs)].map(([, name = '', json = '']) => [
    name,
    policySchema.parse(JSON.parse(json)),
  ]),
);
