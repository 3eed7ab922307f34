import path from 'node:path';
import type { Schema, Tool } from './requests.ts';
import type { Step } from './steps.ts';

export interface Call {
  readonly name: string;
  /** JSON; or the text itself, for a tool that takes free text. */
  readonly input: string;
  readonly isText: boolean;
}

type Kind = Step['kind'];

/** Names of the tools that do a step, the best first; a shell does what has no tool. */
const TOOLS: Readonly<Record<Kind, readonly RegExp[]>> = {
  list: [/^(?:LS|list_?(?:directory|dir|files)?|Glob)$/i],
  read: [/^read_?(?:file|files)?$/i],
  search: [/^(?:grep|grep_search|search_?(?:file_content|files|code|codebase)?)$/i],
  edit: [
    /^apply_patch$/,
    /^(?:edit|editor|replace|edit_file|replace_in_file|single_find_and_replace)$/i,
    /^multi_?edit$/i,
  ],
  write: [/^apply_patch$/, /^(?:write|write_file|write_to_file|create_new_file|editor)$/i],
  shell: [/^(?:bash|shell|exec_command|shell_command|run_(?:shell|terminal)_command|execute_command|run_commands?)$/i],
};

/** The call with which a model that has these tools does the step in `folder`; throws where none can. */
export function chooseCall(step: Step, tools: readonly Tool[], folder: string): Call {
  for (const kind of [step.kind, 'shell'] as const) {
    for (const name of TOOLS[kind]) {
      const tool = tools.find((one) => name.test(one.name));
      if (tool === undefined) continue;
      const { schema } = tool;
      if (schema === undefined) return { name: tool.name, input: step.patch ?? step.command, isText: true };
      const input = fill(schema, { ...step, kind }, folder);
      return { name: tool.name, input: JSON.stringify(input), isText: false };
    }
  }
  throw new Error(`no tool for ${step.kind} among ${tools.map(({ name }) => name).join(', ')}`);
}

/** Arguments by the names that the schema gives them: all that are required, and those that the step has a value for. */
function fill(schema: Schema, step: Step, folder: string): Record<string, unknown> {
  const { properties = {}, required = [] } = schema;
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) => {
      const value =
        argumentFor(name, property, step, folder) ?? (required.includes(name) ? anyValue(property) : undefined);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function argumentFor(name: string, schema: Schema, step: Step, folder: string): unknown {
  const place = path.join(folder, step.path);
  if (/^(?:absolute_?|file_?|dir_?)?paths?(?:name)?$|^(?:dir|directory|file|files)$/i.test(name)) {
    if (step.kind === 'shell') return undefined;
    return wrapped(schema, place, step, folder);
  }
  if (/^(?:cmd|commands?)$/.test(name)) {
    return wrapped(schema, step.command, step, folder);
  }
  if (/^(?:pattern|query|queries|regex)$/.test(name)) {
    return wrapped(schema, step.kind === 'list' ? '*' : (step.pattern ?? ''), step, folder);
  }
  if (name === 'edits') return wrapped(schema, '', step, folder);
  if (name === 'input' || name === 'patchText') return step.patch;
  if (/^old_?(?:string|text)$/i.test(name)) return step.from;
  if (/^(?:new_?(?:string|text)|content)$/i.test(name)) return step.to;
  return undefined;
}

/** A list of one where the schema asks for a list; of objects, where it asks for those. */
function wrapped(schema: Schema, text: string, step: Step, folder: string): unknown {
  if (schema.type !== 'array') return text;
  return schema.items?.properties ? [fill(schema.items, step, folder)] : [text];
}

function anyValue({ type, enum: values, items, ...rest }: Schema): unknown {
  if (values) return values[0];
  if (type === 'boolean') return false;
  if (type === 'number' || type === 'integer') return 1;
  if (type === 'array') return [];
  if (type === 'object') return fill(rest, { kind: 'shell', path: '.', command: '' }, '.');
  return 'The next step of the change';
}
