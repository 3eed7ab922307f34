import { feeFor } from './fees.js';

const DAY_MS = 86_400_000;

/** Who has which book until when. Loans are kept in memory. */
export class Loans {
  constructor({ days, now }) {
    this.days = days;
    this.now = now;
    this.open = new Map();
    this.next = 1;
  }

  /** Lends a book; throws where another member has it. */
  lend({ member, isbn, priceCents = 0 }) {
    if ([...this.open.values()].some((loan) => loan.isbn === isbn)) throw problem(409, 'the book is lent already');
    const id = String(this.next);
    this.next += 1;
    const due = new Date(this.now().getTime() + this.days * DAY_MS);
    this.open.set(id, { id, member, isbn, priceCents, due });
    return this.open.get(id);
  }

  /** Takes a book back and says what is to be paid. */
  takeBack(id) {
    const loan = this.open.get(id);
    if (!loan) throw problem(404, 'there is no such loan');
    this.open.delete(id);
    return { id, feeCents: feeFor(loan, this.now()) };
  }
}

function problem(status, message) {
  return Object.assign(new Error(message), { status });
}
