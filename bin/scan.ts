import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { Policy } from '../functions/core/inspect/policy.ts';
import { Redaction } from '../functions/core/inspect/redaction.ts';
import { inspectRequest } from '../functions/core/inspect/requests/inspect-request.ts';
import { NAMED_AUTHORS, outsideMessages } from '../functions/core/inspect/requests/request-text.ts';
import { SecurityReport } from '../functions/core/inspect/security-report.ts';
import { PRESETS } from '../functions/core/model/policy.ts';
import type { Surface } from '../functions/core/model/threat.ts';
import { createInspector } from '../functions/detectors/index.ts';

/**
 * Runs the gateway's inspection over a file of texts:
 * npm run --silent scan -- --in texts.jsonl --out scores.jsonl [--as user|tool|output|system] [--policy PRESET]
 *
 * Each input line `{"id","text"}` gives `{"id","threat_score","action","scores","detected_threats","micros"}`, in order. `micros`
 * is the time of the inspection alone.
 */
const USAGE =
  'usage: npm run --silent scan -- --in texts.jsonl --out scores.jsonl [--as user|tool|output|system] [--policy monitor|balanced|strict]';
const SURFACES = ['user', 'tool', 'output', 'system'] as const satisfies readonly Surface[];

interface Line {
  readonly id: string | number;
  readonly text: string;
}

const args = readArguments();
const inspector = createInspector();
const policy = new Policy({ preset: args.policy });
const out = createWriteStream(args.out);
let number = 0;
for await (const json of createInterface({ input: createReadStream(args.in), crlfDelay: Number.POSITIVE_INFINITY })) {
  number += 1;
  if (json.trim() === '') continue;
  if (!out.write(`${JSON.stringify(scan(readLine(json)))}\n`)) await once(out, 'drain');
}
out.end();
await once(out, 'finish');

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        in: { type: 'string' },
        out: { type: 'string' },
        as: { type: 'string', default: 'user' },
        policy: { type: 'string', default: 'balanced' },
      },
    });
    const as = SURFACES.find((surface) => surface === values.as);
    const policy = PRESETS.find((preset) => preset === values.policy);
    if (values.in !== undefined && values.out !== undefined && as !== undefined && policy !== undefined) {
      return { in: values.in, out: values.out, as, policy };
    }
  } catch {
    // An unknown option is reported below.
  }
  console.error(USAGE);
  process.exit(2);
}

function readLine(json: string): Line {
  try {
    const { id, text } = JSON.parse(json) as Partial<Line>;
    if ((typeof id === 'string' || typeof id === 'number') && typeof text === 'string') return { id, text };
  } catch {
    // Invalid JSON is reported below.
  }
  console.error(`${args.in}, line ${number}: not an object with "id" and "text"`);
  process.exit(1);
}

function scan({ id, text }: Line) {
  const report = new SecurityReport();
  const startedAt = performance.now();
  if (args.as === 'output') judgeOutput(text, report);
  else {
    const texts = [outsideMessages(['text'], text, NAMED_AUTHORS[args.as])];
    inspectRequest(texts, inspector, policy, new Redaction('scan'), report);
  }
  const micros = Math.round((performance.now() - startedAt) * 1000);
  return {
    id,
    threat_score: report.threatScore,
    action: report.action,
    scores: report.scores,
    detected_threats: report.threats,
    micros,
  };
}

function judgeOutput(text: string, report: SecurityReport): void {
  for (const finding of inspector.inspect(text, 'output')) {
    const { start, end } = finding;
    const location = { part: 'output', message: null, field: 'text', start, end } as const;
    report.add(finding, policy.decide(finding, 'output'), location);
  }
}
