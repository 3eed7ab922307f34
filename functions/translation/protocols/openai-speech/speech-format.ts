import type { ResponsePiece, Usage } from '../../../kernel/model/index.ts';
import { fromOpenAiTokenUsage } from '../bodies/provider-usage.ts';
import { readResponseJson } from '../bodies/response-json.ts';
import { oneLine } from '../bodies/stream-framing.ts';
import { MediaFormat } from '../bodies/untranslated-format.ts';
import type { StreamFraming } from '../protocol.ts';

export const SPEECH_FRAMING: StreamFraming = { event: (json) => `data: ${oneLine(json)}\n\n`, end: '' };

const DELTA = 'speech.audio.delta';
const DONE = 'speech.audio.done';
/** Where an event has no text. */
const PLACES = { id: 'type', data: 'audio' };

/**
 * OpenAI's events of speech (`SpeechAudioDeltaEvent` and `SpeechAudioDoneEvent` of https://github.com/openai/openai-openapi). `svc` is in the
 * event that ends the stream. Any text in an event is inspected; audio is not.
 */
export class SpeechFormat extends MediaFormat {
  private readonly usual: Usage;

  /** @param usual the usage of a response that reports none */
  constructor(usual: Usage) {
    super(PLACES, 'The rest of the speech was withheld by the security policy of this API key.');
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
}
