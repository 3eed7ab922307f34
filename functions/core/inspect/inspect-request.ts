import type { JsonEdit, JsonPath } from '../json/json-splice.ts';
import type { Action, Surface } from '../model/threat.ts';
import { toParam } from '../protocols/first-fault.ts';
import type { Policy } from './policy.ts';
import { mergeEdits, type Redaction, renderEdits, type TextEdit } from './redaction.ts';
import type { SecurityReport } from './security-report.ts';
import type { TextInspector } from './text-inspector.ts';

/** A text of a request that is inspected. */
export interface RequestText {
  readonly path: JsonPath;
  readonly text: string;
  readonly surface: Surface;
  /** Index of the message that it stands in; null for text outside the messages. */
  readonly message: number | null;
}

export interface InputVerdict {
  /** The field of the first finding that blocks. */
  readonly blockedBy: string | undefined;
  /** Redactions to make in the body. */
  readonly edits: readonly JsonEdit[];
}

/** Judges every text of a request and puts what it finds into the report. */
export function inspectRequest(
  texts: readonly RequestText[],
  inspector: TextInspector,
  policy: Policy,
  redaction: Redaction,
  report: SecurityReport,
): InputVerdict {
  let blockedBy: string | undefined;
  const edits: JsonEdit[] = [];
  for (const { path, text, surface, message } of texts) {
    const field = toParam(path);
    const redactions: TextEdit[] = [];
    for (const finding of inspector.inspect(text, surface)) {
      const action: Action = policy.decide(finding, surface);
      const { start, end } = finding;
      report.add(finding, action, { part: 'input', message, field, start, end });
      if (action === 'block') blockedBy ??= field;
      if (action === 'redact')
        redactions.push({ start, end, text: redaction.hideInput(finding, text.slice(start, end)) });
    }
    if (redactions.length > 0) {
      edits.push({ kind: 'replace', path, json: JSON.stringify(renderEdits(text, 0, mergeEdits(redactions))) });
    }
  }
  return { blockedBy, edits };
}
