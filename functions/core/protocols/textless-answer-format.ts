import type { SecurityInfo } from '../inspect/security-report.ts';
import type { AnswerFormat, AnswerPiece } from './answer-format.ts';
import { withSvc } from './security-fields.ts';

/** Answers in which no model has written text: there is nothing to translate, to stream, to cut or to refuse in words. */
export class TextlessAnswerFormat implements AnswerFormat {
  readonly ended = true;
  readonly readPiece: (json: string) => AnswerPiece;

  constructor(readPiece: (json: string) => AnswerPiece) {
    this.readPiece = readPiece;
  }

  withSecurity(json: string, svc: SecurityInfo): string {
    return withSvc(json, [], svc);
  }

  refusal(): undefined {
    return undefined;
  }

  came(): void {}

  leaving({ json }: AnswerPiece): string {
    return json;
  }

  encodeEnd(): string[] {
    return [];
  }

  encodeWhole(): never {
    throw noText();
  }

  encode(): never {
    throw noText();
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
