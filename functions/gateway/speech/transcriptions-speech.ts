import { TRANSCRIPT_FRAMING } from '../../core/protocols/openai-transcriptions/transcript-format.ts';
import {
  asksForPlainText,
  streamsTranscript,
  TRANSCRIPTIONS_PROTOCOL,
  type TranscriptionsRequest,
} from '../../core/protocols/openai-transcriptions/transcriptions-protocol.ts';
import type { Speech } from './speech.ts';

/** OpenAI's transcripts of a form's audio file. */
export const TRANSCRIPTIONS_SPEECH: Speech<TranscriptionsRequest> = {
  framing: TRANSCRIPT_FRAMING,
  spoken: () => ({ protocol: TRANSCRIPTIONS_PROTOCOL, wantsStream: streamsTranscript, isPlain: asksForPlainText }),
};
