import { readFileSync, realpathSync } from 'node:fs';
import { CommanderError, Option, Command as Program } from 'commander';
import { checkPolicy } from '../../functions/inspection/index.ts';
import { toValidationError } from '../../functions/kernel/errors/index.ts';
import { type PolicySettings, PRESETS, policySchema, type Surface } from '../../functions/kernel/model/index.ts';
import { callOf } from '../entry.ts';
import { parseJsonFile, shown } from '../file-errors.ts';

const INPUT_FORMATS = ['jsonl', 'json', 'csv', 'text', 'lines'] as const;
export type InputFormat = (typeof INPUT_FORMATS)[number];
const OUTPUT_FORMATS = ['jsonl', 'csv', 'sarif', 'report'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];
const AUTHORS = ['user', 'tool', 'output', 'system'] as const satisfies readonly Surface[];
const FAIL_ON = ['flag', 'ask', 'block'] as const;

/** Standard input as an argument. */
export const STDIN = '-';

export interface ScanOptions {
  /** Files, folders and `-`, in the order given. */
  readonly files: readonly string[];
  /** Undefined: by the extension of each file. */
  readonly inputFormat: InputFormat | undefined;
  readonly field: string | undefined;
  readonly as: Surface;
  readonly policy: PolicySettings;
  /** Undefined: a report on a terminal, else JSONL. */
  readonly format: OutputFormat | undefined;
  readonly out: string | undefined;
  readonly failOn: (typeof FAIL_ON)[number] | undefined;
  readonly quiet: boolean;
}

const USAGE = '[FILES...] [options]';
const CALL = callOf('scan');

interface OptionShape {
  /** Placeholder of its value in the help; an option without one is a switch. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly default?: string;
  readonly help: string;
}

/** For the help and for docs/reference/cli.md. */
export const SCAN_OPTIONS: Readonly<Record<string, OptionShape>> = {
  field: {
    value: 'NAME',
    help: 'Field or column with the text; `a.b` is a nested field. Without it: text, input, messages or contents.',
  },
  'input-format': {
    value: 'FORMAT',
    choices: INPUT_FORMATS,
    help: 'How to read every input. Without it: by the extension; standard input is JSONL if its first line is an object, else lines.',
  },
  as: {
    value: 'AUTHOR',
    choices: AUTHORS,
    default: 'user',
    help: 'Author of the texts, which decides the rules; `output` is a response of a model.',
  },
  policy: {
    value: 'PRESET|FILE',
    default: 'balanced',
    help: `A preset (${PRESETS.join(', ')}), or a JSON file in the format of the policy of a key.`,
  },
  format: { value: 'FORMAT', choices: OUTPUT_FORMATS, help: 'Output. Without it: report on a terminal, else jsonl.' },
  out: { value: 'FILE', help: 'Write the output to a file instead of standard output.' },
  'fail-on': {
    value: 'ACTION',
    choices: FAIL_ON,
    help: 'Exit with 1 if a text has this action or a stronger one. Without it: never.',
  },
  quiet: { help: 'No progress and no summary.' },
  in: { value: 'FILE', help: 'The same as an argument.' },
};

const HELP = `
Inputs, by extension:
  .jsonl, .ndjson   one JSON object a line, with the text in a field, or a conversation: an agent's log
  .json             such an object, an array of them or of strings, or an array of messages, which is one conversation;
                    any other JSON is one text
  .csv, .tsv        a header, and the text in a column
  others            one text; with --input-format lines each line is a text
  folders           all files in them, without .git, node_modules and binary files
  -, or nothing     standard input

Conversations: "messages" of OpenAI or Anthropic, "contents" of Gemini, "input" and "output" items of OpenAI's responses,
each also as an array alone, and OpenTelemetry spans with gen_ai.input.messages. Each tool call is compared with what came before it.

Examples:
  ${CALL} prompts.jsonl
  ${CALL} tickets.csv --field body --format csv --out findings.csv
  ${CALL} docs/ --as tool --format sarif --out svc.sarif --fail-on block
  ${CALL} agent-log.jsonl --format report
  git log -p | ${CALL} --input-format lines --fail-on flag

No output contains the scanned texts: only positions, rules and scores.
Exit codes: 0 done, 1 a text reached --fail-on, 2 wrong usage or an input that could not be read.`;

type Streams = Pick<NodeJS.Process, 'stdout' | 'stderr'>;

/** Parses the arguments; undefined after `--help`. @throws CommanderError for wrong usage, after printing the reason */
export function parseOptions(argv: readonly string[], { stdout, stderr }: Streams): ScanOptions | undefined {
  const program = createProgram();
  program.configureOutput({
    writeOut: (text) => stdout.write(text),
    writeErr: (text) => stderr.write(text.split('\n').map(shown).join('\n')),
  });
  try {
    program.parse(argv, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return undefined;
    throw error;
  }
  const values = program.opts<Record<string, string> & { quiet?: true }>();
  const files = [...(values.in === undefined ? [] : [values.in]), ...program.args];
  if (new Set(files).size < files.length) program.error('error: an input is given twice');
  // Opening the output empties it.
  const emptied = files.find((file) => values.out !== undefined && isSameFile(file, values.out));
  if (emptied !== undefined) program.error(`error: --out: ${emptied}: an input, which the output would empty`);
  return {
    files: files.length > 0 ? files : [STDIN],
    inputFormat: values.inputFormat as InputFormat | undefined,
    field: values.field,
    as: values.as as Surface,
    policy: readPolicy(values.policy as string, (message) => program.error(`error: --policy: ${message}`)),
    format: values.format as OutputFormat | undefined,
    out: values.out,
    failOn: values.failOn as ScanOptions['failOn'],
    quiet: values.quiet === true,
  };
}

function createProgram(): Program {
  const program = new Program(CALL)
    .usage(USAGE)
    .description("Inspects texts with the gateway's detectors, without a provider and without a network.")
    .argument('[FILES...]')
    .exitOverride()
    .helpOption('--help', 'Show this help.')
    .showHelpAfterError('Add --help to see options and examples.')
    .addHelpText('after', HELP);
  program.configureHelp({ visibleArguments: () => [] });
  for (const [name, { value, choices, default: preset, help }] of Object.entries(SCAN_OPTIONS)) {
    const option = new Option(value === undefined ? `--${name}` : `--${name} <${value}>`, help);
    if (choices !== undefined) option.choices(choices);
    if (preset !== undefined) option.default(preset);
    program.addOption(option);
  }
  return program;
}

function isSameFile(a: string, b: string): boolean {
  try {
    return realpathSync(a) === realpathSync(b);
  } catch {
    return false;
  }
}

/** The settings of a preset or of a file. `fail` throws. */
function readPolicy(value: string, fail: (message: string) => never): PolicySettings {
  const preset = PRESETS.find((name) => name === value);
  if (preset !== undefined) return { preset };
  let json: string;
  try {
    json = readFileSync(value, 'utf8');
  } catch {
    return fail(`${value}: no preset (${PRESETS.join(', ')}) and no readable file`);
  }
  const settings = parseJsonFile(value, json, fail);
  const parsed = policySchema.superRefine((policy, context) => checkPolicy(policy, context)).safeParse(settings);
  return parsed.success ? parsed.data : fail(`${value}: ${toValidationError(parsed.error, settings).message}`);
}
