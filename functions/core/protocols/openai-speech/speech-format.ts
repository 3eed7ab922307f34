import type { Usage } from '../../model/chat.ts';
import type { SecurityInfo } from '../../model/threat.ts';
import { OtherSlots } from '../bodies/other-texts.ts';
import { fromOpenAiTokenUsage, readResponseJson } from '../bodies/response-json.ts';
import { placesOf } from '../bodies/response-places.ts';
import { oneLine } from '../bodies/stream-framing.ts';
import { UntranslatedFormat } from '../bodies/untranslated-format.ts';
import type { ResponsePiece, StreamFraming } from '../protocol.ts';

export const SPEECH_FRAMING: StreamFraming = { event: (json) => `data: ${oneLine(json)}\n\n`, end: '' };

const DELTA = 'speech.audio.delta';
const DONE = 'speech.audio.done';
/** Where an event has no text. */
const PLACES = placesOf({ '': { id: 'type', data: 'audio' } });

/**
 * OpenAI's events of speech (`SpeechAudioDeltaEvent` and `SpeechAudioDoneEvent` of https://github.com/openai/openai-openapi). `svc` is in the
 * event that ends the stream. Any text in an event is inspected; audio is not.
 */
export class SpeechFormat extends UntranslatedFormat {
  ended = false;
  private readonly others = new OtherSlots(PLACES);
  private readonly usual: Usage;

  /** @param usual the usage of a response that reports none */
  constructor(usual: Usage) {
    super();
    this.usual = usual;
  }

  readPiece(text: string): ResponsePiece {
    const { json, body } = readResponseJson(text);
    const isEvent = typeof body.type === 'string' && body.type !== 'error' && body.error == null;
    const ends = body.type === DONE;
    return {
      json,
      slots: this.others.read(body).slots,
      echoes: [],
      divisible: false,
      ends,
      usage: fromOpenAiTokenUsage(body.usage) ?? (ends ? this.usual : undefined),
      fault: isEvent ? undefined : 'no speech',
      skipped: body.type === DELTA ? ['audio: audio'] : [],
    };
  }

  cutWhole(json: string): string {
    return json;
  }

  leaving({ json, ends, slots }: ResponsePiece, cut: boolean, svc: () => SecurityInfo): string | undefined {
    this.others.left(slots);
    if (!ends) return json;
    if (cut) return undefined;
    this.ended = true;
    return this.withSecurity(json, svc());
  }

  blockedEnd(svc: SecurityInfo): string[] {
    const error = {
      type: 'security_error',
      code: 'content_filter',
      message: 'The rest of the speech was withheld by the security policy of this API key.',
      param: null,
    };
    return [JSON.stringify({ type: 'error', error, svc })];
  }
}
