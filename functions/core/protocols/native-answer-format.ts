import type { Usage } from '../model/chat.ts';
import type { SecurityInfo } from '../model/security-info.ts';
import type { AnswerFormat, AnswerPiece } from './answer-format.ts';
import { withSvc } from './security-fields.ts';

/** Answers that are no chat's: never translated, and with no words for a refusal. */
export abstract class NativeAnswerFormat implements AnswerFormat {
  abstract readonly ended: boolean;
  abstract readPiece(json: string): AnswerPiece;
  abstract cutWhole(json: string, empty: boolean): string;
  abstract leaving(piece: AnswerPiece, cut: boolean, svc: () => SecurityInfo): string | undefined;
  abstract blockedEnd(svc: SecurityInfo, usage: Usage): string[];

  withSecurity(json: string, svc: SecurityInfo): string {
    return withSvc(json, [], svc);
  }

  refusal(): undefined {
    return undefined;
  }

  came(_piece: AnswerPiece): void {}

  encodeEnd(): string[] {
    return [];
  }

  encodeWhole(): never {
    throw untranslated();
  }

  encode(): never {
    throw untranslated();
  }
}

function untranslated(): Error {
  return new Error('an answer of this protocol is never translated');
}
