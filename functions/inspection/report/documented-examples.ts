import type { ShownThreat, Surface } from '../../kernel/model/index.ts';
import type { Finding, TextInspector } from '../matching/index.ts';
import type { Policy } from '../policy/index.ts';
import { MAX_LISTED } from './security-report.ts';

/** A text that was inspected, and its place in findings. */
export interface ReadText {
  readonly text: string;
  readonly surface: Surface;
  readonly part: 'input' | 'output';
  readonly message: number | null;
  readonly field: string;
}

const MESSAGE = 'Text contains a value that documentation publishes as an example.';

/**
 * The listed findings, followed by the documented examples in the texts that none of them covers. Examples change no score, action or
 * count: a caller who tries the gateway with one sees that it was recognized.
 */
export function withExamples(
  listed: readonly ShownThreat[],
  texts: readonly ReadText[],
  inspector: TextInspector,
  policy: Policy,
): readonly ShownThreat[] {
  const examples = texts.flatMap((text) =>
    inspector
      .findExamples(text.text, text.surface)
      .filter(({ rule }) => !policy.ignores(rule.type, text.surface))
      .map((finding) => toThreat(finding, text))
      .filter((example) => !listed.some((threat) => covers(threat, example))),
  );
  return examples.length === 0 ? listed : [...listed, ...examples].slice(0, MAX_LISTED);
}

function toThreat({ rule, start, end }: Finding, { part, message, field }: ReadText): ShownThreat {
  const { id, type, category, owasp, atlas } = rule;
  const location = { part, message, field, start, end };
  return {
    type,
    category,
    score: 0,
    severity: 'low',
    action: 'allow',
    rule: id,
    message: MESSAGE,
    location,
    owasp,
    atlas,
    example: true,
  };
}

function covers(threat: ShownThreat, { type, location: { field, start, end } }: ShownThreat): boolean {
  const { location } = threat;
  return threat.type === type && location.field === field && location.start < end && location.end > start;
}
