import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

/** What a detector of npm or PyPI says of a text at its defaults. */
export interface PeerVerdict {
  readonly detected: boolean;
  /** 0..1; a detector without one gets 1 for what it detects and 0 for the rest. */
  readonly score: number;
  /** Of a detector in another process: its own time, and its CPU time. */
  readonly micros?: number;
  readonly cpuMicros?: number;
}

export interface PeerDetector {
  readonly name: string;
  /** What counts as a detection: what the package itself calls one. */
  readonly means: string;
  /** Loads it from bench/injection-peers; throws where it is not installed. */
  readonly load: () => Promise<(text: string) => PeerVerdict | Promise<PeerVerdict>>;
}

interface AiDefence {
  createAIDefence(): {
    detect(text: string): Promise<{ safe: boolean; threats: readonly { confidence: number }[] }>;
  };
}
interface Guardrail {
  checkAll(text: string): Promise<{
    allowed: boolean;
    injection: { confidence: number };
    jailbreak: { confidence: number };
  }>;
}
/** A result of @openai/guardrails. */
interface CheckResult {
  readonly tripwireTriggered: boolean;
}
type Check<Config> = (context: object, text: string, config: Config) => CheckResult | Promise<CheckResult>;
/** A module of CommonJS. */
interface OpenAiGuardrails {
  readonly default: {
    readonly pii: Check<object>;
    readonly secretKeysCheck: Check<object>;
    readonly PIIConfig: { parse(config: object): object };
    readonly SecretKeysConfig: { parse(config: object): object };
  };
}
interface Vard {
  createVard(): { safeParse(text: string): { safe: boolean; threats?: readonly { severity: number }[] } };
}

const BENCH = path.join(import.meta.dirname, '..');
const FOLDER = path.join(BENCH, 'injection-peers');

export const PEER_DETECTORS: readonly PeerDetector[] = [
  {
    name: '@claude-flow/aidefence',
    means: '`detect()` is not `safe`; score: highest confidence of its threats',
    load: async () => {
      const { createAIDefence } = await fromPeers<AiDefence>('@claude-flow/aidefence/dist/index.js');
      const defence = createAIDefence();
      return async (text) => {
        const { safe, threats } = await defence.detect(text);
        return { detected: !safe, score: highest(threats.map(({ confidence }) => confidence)) };
      };
    },
  },
  {
    name: 'llm_guardrail',
    means: '`checkAll()` is not `allowed`; score: higher confidence of injection and jailbreak',
    load: async () => {
      const { checkAll } = await fromPeers<Guardrail>('llm_guardrail/index.js');
      return async (text) => {
        const { allowed, injection, jailbreak } = await checkAll(text);
        return { detected: !allowed, score: Math.max(injection.confidence, jailbreak.confidence) };
      };
    },
  },
  {
    name: '@andersmyrmel/vard',
    means: '`safeParse()` is not `safe` (what it only sanitizes passes); score: highest severity of its threats',
    load: async () => {
      const { createVard } = await fromPeers<Vard>('@andersmyrmel/vard/dist/index.js');
      const vard = createVard();
      return (text) => {
        const { safe, threats = [] } = vard.safeParse(text);
        return { detected: !safe, score: highest(threats.map(({ severity }) => severity)) };
      };
    },
  },
  ofPython('nukon-pi-detect', '`decision` is not clean'),
  ofPython('stackone-defender', 'a tool result is not `allowed` with `block_high_risk`', 'score of its classifier'),
  ofPython('injectionshield', '`scan()` is not `safe`'),
  ofPython('injectguard', '`is_injection`'),
  ofPython('prompt-lint-py', '`decision` in mode `block` is not `ALLOW`'),
];

/** Guards for requests and responses that inspect in the process of their caller, by what they have without a model. */
export const GUARDS: readonly PeerDetector[] = [
  ofPython(
    'litellm-content-filter',
    "LiteLLM's content filter with its categories of prompt injection and its patterns of credentials and of usual personal data blocks the text",
    '1',
    path.join(BENCH, 'peers'),
  ),
  ofPython(
    'gorget',
    'a scanner for secrets or for invisible text of gorget, which continues LLM Guard, finds something',
    '1',
  ),
  {
    name: '@openai/guardrails',
    means: '`Contains PII` or `Secret Keys` at their defaults is triggered; score: 1',
    load: async () => {
      const { default: guardrails } = await fromPeers<OpenAiGuardrails>('@openai/guardrails/dist/index.js');
      const pii = guardrails.PIIConfig.parse({ block: true });
      const secrets = guardrails.SecretKeysConfig.parse({});
      return async (text) => {
        const results = [await guardrails.pii({}, text, pii), await guardrails.secretKeysCheck({}, text, secrets)];
        const detected = results.some(({ tripwireTriggered }) => tripwireTriggered);
        return { detected, score: detected ? 1 : 0 };
      };
    },
  },
];

/** A package of PyPI, asked text by text. */
function ofPython(name: string, means: string, score = 'its risk score', folder = FOLDER): PeerDetector {
  return {
    name,
    means: `${means}; score: ${score}`,
    load: async () => {
      const python = path.join(folder, '.venv', 'bin', 'python');
      if (!existsSync(python)) throw new Error('not installed');
      const child = spawn(python, [path.join(FOLDER, 'peers.py'), name], {
        stdio: ['pipe', 'pipe', 'inherit'],
        // LiteLLM would fetch a list of prices.
        env: { ...process.env, LITELLM_LOCAL_MODEL_COST_MAP: 'True' },
      });
      process.once('exit', () => child.kill());
      // Its pipes keep no finished bench alive.
      for (const handle of [child, child.stdin as Socket, child.stdout as Socket]) handle.unref();
      const verdicts = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      return async (text) => {
        (child.stdout as Socket).ref();
        child.stdin.write(`${JSON.stringify(text)}\n`);
        const { value, done } = await verdicts.next();
        (child.stdout as Socket).unref();
        if (done) throw new Error(`${name} ended`);
        return JSON.parse(value) as PeerVerdict;
      };
    },
  };
}

/** By its path: these packages lie there alone. */
async function fromPeers<T>(file: string): Promise<T> {
  return (await import(pathToFileURL(path.join(FOLDER, 'node_modules', file)).href)) as T;
}

function highest(scores: readonly number[]): number {
  return Math.max(0, ...scores);
}
