import { parseArgs } from 'node:util';

export interface DeployArguments {
  /** Undefined: the default of cdk.json's settings. */
  readonly stage: string | undefined;
  /** Of the AWS configuration, which `passedOn` names too. */
  readonly profile: string | undefined;
  /** For `cdk deploy`, in their order, without the stage. */
  readonly passedOn: readonly string[];
}

const STAGE_CONTEXT = /^stage=(.*)$/s;

/** Reads `--stage NAME`, `-c stage=NAME` and `--profile NAME` out of the arguments; throws where two stages are named. */
export function readDeployArguments(args: readonly string[]): DeployArguments {
  const options = {
    stage: { type: 'string' },
    context: { type: 'string', short: 'c' },
    profile: { type: 'string' },
  } as const;
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  const stages = new Set<string>();
  let profile: string | undefined;
  const taken = new Set<number>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, value, index, inlineValue } = token;
    const stage =
      name === 'stage' ? (value ?? '') : name === 'context' ? STAGE_CONTEXT.exec(value ?? '')?.[1] : undefined;
    if (name === 'profile') profile = value;
    if (stage === undefined) continue;
    if (stage === '' || stage.startsWith('-'))
      throw new Error('--stage: name a stage: Production, Staging, Development');
    stages.add(stage);
    taken.add(index);
    if (inlineValue === false) taken.add(index + 1);
  }
  if (stages.size > 1) throw new Error(`--stage: one at a time, not ${[...stages].join(' and ')}`);
  return { stage: [...stages][0], profile, passedOn: args.filter((_, index) => !taken.has(index)) };
}
