import type { JsonDocument } from '../base/json-document.ts';
import { spliceJson } from '../base/json-splice.ts';
import type { InputVerdict } from '../inspect/requests/inspect-request.ts';
import type { Exchange } from './exchange.ts';

/** Puts a judged request into the exchange's transcript, if it has one. */
export function captureRequest({ transcript }: Exchange, { text }: JsonDocument, verdict: InputVerdict): void {
  transcript?.takeRequest(text, () => spliceJson(text, verdict.hidingEdits));
}
