import { spawn } from 'node:child_process';
import { type LoadResult, type LoadSize, runLoad } from './load.ts';

/** The response to an HTTP call. */
export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

interface Checked<Answer> {
  /** What is wrong with the result; undefined if nothing is. */
  readonly expect?: (answer: Answer) => string | undefined;
  /** Stores what later calls need. */
  readonly keep?: (answer: Answer) => void;
  /** The call is repeated until the result is as expected, for at most so long. Otherwise one fault ends the step. */
  readonly withinSeconds?: number;
}

/** A program and its arguments; the result is what it prints. */
export interface Command extends Checked<string> {
  readonly kind: 'command';
  readonly args: readonly string[];
  /** Ended after so long: an hour where absent, as a deployment of CloudFront takes many minutes. */
  readonly timeoutSeconds?: number;
}

/** A request to the deployed gateway or its admin API. */
export interface Http extends Checked<HttpAnswer> {
  readonly kind: 'http';
  readonly method: string;
  readonly url: string;
  /** Sent as a bearer token, never printed. */
  readonly key?: string | undefined;
  readonly body?: object;
}

/** Requests at a fixed rate. */
export interface Load extends Checked<LoadResult>, LoadSize {
  readonly kind: 'load';
  readonly url: string;
  readonly key: string;
}

/** Time for what AWS reports late. */
export interface Pause {
  readonly kind: 'pause';
  readonly seconds: number;
  readonly why: string;
}

export type Call = Command | Http | Load | Pause;

const HOUR = 3_600;
const REQUEST_MS = 60_000;
const BETWEEN_MS = 2_000;
/** Enough of a message to see what happened. */
const SHOWN = 300;

/** The call as a person would type it, without keys. */
export function shown(call: Call): string {
  switch (call.kind) {
    case 'command':
      return call.args
        .map((arg) => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`))
        .join(' ');
    case 'http':
      return [call.method, call.url, call.body === undefined ? '' : JSON.stringify(call.body)]
        .filter(Boolean)
        .join(' ');
    case 'load':
      return `${call.rate} streams a second for ${call.seconds} s to ${call.url}`;
    case 'pause':
      return `wait ${call.seconds} s: ${call.why}`;
  }
}

/** Makes the call, and repeats it where the expected result may take a while. Throws what is wrong. */
export async function make(call: Call): Promise<void> {
  if (call.kind === 'pause') return sleep(call.seconds * 1_000);
  const deadline = performance.now() + (call.withinSeconds ?? 0) * 1_000;
  for (;;) {
    const fault = await attempt(call);
    if (fault === undefined) return;
    if (performance.now() >= deadline) throw new Error(`${shown(call)}: ${fault}`);
    await sleep(Math.min(BETWEEN_MS, Math.max(1, deadline - performance.now())));
  }
}

async function attempt(call: Exclude<Call, Pause>): Promise<string | undefined> {
  try {
    if (call.kind === 'command') return judge(call, await run(call));
    if (call.kind === 'http') return judge(call, await request(call));
    return judge(call, await runLoad(call));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function judge<Answer>({ expect, keep }: Checked<Answer>, answer: Answer): string | undefined {
  const fault = expect?.(answer);
  if (fault === undefined) keep?.(answer);
  return fault;
}

function run({ args: [program = '', ...args], timeoutSeconds = HOUR }: Command): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutSeconds * 1_000 });
    let [out, errors] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-10_000);
    });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) return resolve(out.trim());
      // What a command prints on success may be a secret; its errors are not.
      reject(new Error(`exit ${code ?? signal}: ${errors.trim().slice(-SHOWN)}`));
    });
  });
}

async function request({ method, url, key, body }: Http): Promise<HttpAnswer> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(REQUEST_MS),
  });
  return { status: response.status, text: await response.text() };
}

/** An expectation: the status, and a part of the body. */
export function answers(status: number, part = ''): (answer: HttpAnswer) => string | undefined {
  return (answer) =>
    answer.status === status && answer.text.includes(part)
      ? undefined
      : `status ${answer.status}, not ${[status, part].filter(Boolean).join(' with ')}: ${answer.text.slice(0, SHOWN)}`;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
