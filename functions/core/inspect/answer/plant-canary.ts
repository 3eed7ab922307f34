import type { JsonEdit, JsonPath } from '../../json/json-splice.ts';
import { createMarker, plantedText } from './canary.ts';

/** A marker, and the change to a request's body that plants it. */
export interface PlantedCanary {
  readonly marker: string;
  readonly edit: JsonEdit;
}

/** Plants a new marker at the end of this text of the operator, or in a message of its own where there is none. */
export function plantCanary(lastPromptText: JsonPath | undefined): PlantedCanary {
  const marker = createMarker();
  const text = plantedText(marker);
  if (lastPromptText !== undefined) {
    return { marker, edit: { kind: 'append', path: lastPromptText, text: `\n\n${text}` } };
  }
  const json = JSON.stringify({ role: 'system', content: text });
  return { marker, edit: { kind: 'prepend', path: ['messages'], json } };
}
