import type { Usage } from '../model/chat.ts';
import type { AnswerPiece } from './answer-format.ts';
import { type PlaceList, placesOf } from './answer-places.ts';
import { NativeAnswerFormat } from './native-answer-format.ts';
import { OtherSlots } from './other-slots.ts';
import { readAnswer } from './read-answer.ts';

/** What a protocol reads of an answer in which no model writes text. */
export interface TextlessAnswer {
  readonly usage: Usage | undefined;
  /** Why it is no answer, for the log. */
  readonly fault: string | undefined;
}

/** Answers in which no model writes text, such as embeddings: any text in one is inspected as output all the same. */
export class TextlessAnswerFormat extends NativeAnswerFormat {
  readonly ended = true;
  private readonly others: OtherSlots;
  private readonly readBody: (body: Readonly<Record<string, unknown>>) => TextlessAnswer;

  constructor(places: PlaceList, readBody: (body: Readonly<Record<string, unknown>>) => TextlessAnswer) {
    super();
    this.others = new OtherSlots(placesOf({ '': places }));
    this.readBody = readBody;
  }

  readPiece(text: string): AnswerPiece {
    const { json, body } = readAnswer(text);
    const { slots } = this.others.read(body);
    return { json, slots, echoes: [], divisible: false, ends: true, ...this.readBody(body) };
  }

  leaving({ json }: AnswerPiece): string {
    return json;
  }

  cutWhole(json: string): string {
    return json;
  }

  blockedEnd(): never {
    throw new Error('an answer of this protocol is never streamed');
  }
}
