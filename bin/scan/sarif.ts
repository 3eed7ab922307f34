import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { escapeUnseen } from '../../functions/kernel/json/index.ts';
import type { Action, Severity, ShownThreat } from '../../functions/kernel/model/index.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { placesOf } from './place.ts';
import type { Scanned } from './scanner.ts';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';
const LEVELS: Readonly<Record<Action, 'error' | 'warning' | 'note'>> = {
  block: 'error',
  ask: 'warning',
  redact: 'warning',
  flag: 'warning',
  allow: 'note',
};
/** GitHub shows 9.0 and up as critical, 7.0 as high, 4.0 as medium. */
const SECURITY_SEVERITY: Readonly<Record<Severity, string>> = {
  critical: '9.5',
  high: '8.0',
  medium: '5.5',
  low: '2.0',
};

/** SARIF 2.1.0 for code scanning: one result for each finding. Rules are written last, when they are known. */
export class SarifWriter {
  private readonly rules = new Map<string, { readonly index: number; readonly threat: ShownThreat }>();
  private hasResults = false;

  start(): string {
    return `{"$schema":${JSON.stringify(SCHEMA)},"version":"2.1.0","runs":[{"columnKind":"utf16CodeUnits","results":[`;
  }

  result(scanned: Scanned): string {
    const { item, threats } = scanned;
    const placeOf = placesOf(item);
    let json = '';
    for (const threat of threats) {
      const ruleIndex = this.indexOf(threat);
      const region = placeOf(threat);
      const result = {
        ruleId: threat.rule,
        ruleIndex,
        level: LEVELS[threat.action],
        message: { text: messageOf(threat) },
        locations: [{ physicalLocation: { artifactLocation: artifactOf(item.position.file), region } }],
        properties: {
          id: item.id,
          type: threat.type,
          category: threat.category,
          action: threat.action,
          score: threat.score,
          field: threat.location.field,
          ...(threat.policyRule !== undefined && { policyRule: threat.policyRule }),
          ...(threat.example && { example: true }),
        },
      };
      json += `${this.hasResults ? ',' : ''}\n${escapeUnseen(JSON.stringify(result))}`;
      this.hasResults = true;
    }
    return json;
  }

  /** The index of its rule in the list at the end. An example has another message than the findings of its rule. */
  private indexOf(threat: ShownThreat): number {
    const known = this.rules.get(threat.rule);
    const index = known?.index ?? this.rules.size;
    if (known === undefined || known.threat.example) this.rules.set(threat.rule, { index, threat });
    return index;
  }

  end(errors: number): string {
    const driver = {
      name: 'svc',
      semanticVersion: packageJson.version,
      rules: [...this.rules.values()].map(({ threat }) => ruleOf(threat)),
    };
    const invocations = [{ executionSuccessful: errors === 0 }];
    return `\n],"tool":${JSON.stringify({ driver })},"invocations":${JSON.stringify(invocations)}}]}\n`;
  }
}

function messageOf({ message, score, action, example }: ShownThreat): string {
  return example ? message : `${message} Score ${score.toFixed(2)}, action ${action}.`;
}

function ruleOf({ rule, type, category, message, severity, owasp, atlas }: ShownThreat) {
  const frameworks = [`OWASP ${owasp}`, ...(atlas === null ? [] : [`MITRE ATLAS ${atlas}`])].join(', ');
  return {
    id: rule,
    name: rule,
    shortDescription: { text: `${type}: ${category.replaceAll('_', ' ')}` },
    fullDescription: { text: message },
    help: { text: `${message} Type ${type}, ${frameworks}. docs/detection.md explains scores.` },
    properties: { tags: ['security', type, owasp], 'security-severity': SECURITY_SEVERITY[severity] },
  };
}

/** A relative URI below the working directory, which is the root of the repository in CI; an absolute one for other files. */
function artifactOf(file: string): { uri: string; uriBaseId?: '%SRCROOT%' } {
  const relative = path.relative(process.cwd(), path.resolve(file));
  if (relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative)) {
    return { uri: pathToFileURL(path.resolve(file)).href };
  }
  return { uri: relative.split(path.sep).map(encodeURIComponent).join('/'), uriBaseId: '%SRCROOT%' };
}
