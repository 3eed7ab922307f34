import type { AnswerPiece } from './answer-format.ts';
import { NativeAnswerFormat } from './native-answer-format.ts';

/** Answers in which no model has written text: there is nothing to stream or to cut. */
export class TextlessAnswerFormat extends NativeAnswerFormat {
  readonly ended = true;
  readonly readPiece: (json: string) => AnswerPiece;

  constructor(readPiece: (json: string) => AnswerPiece) {
    super();
    this.readPiece = readPiece;
  }

  leaving({ json }: AnswerPiece): string {
    return json;
  }

  cutWhole(): never {
    throw noText();
  }

  blockedEnd(): never {
    throw noText();
  }
}

function noText(): Error {
  return new Error('an answer of this protocol holds no text');
}
