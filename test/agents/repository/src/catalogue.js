import { readFile } from 'node:fs/promises';

/** The books of a CSV file: isbn, title, author, price in cents. */
export async function loadCatalogue(file) {
  const text = await readFile(file, 'utf8');
  const [, ...rows] = text.trim().split('\n');
  return new Catalogue(rows.map(toBook));
}

function toBook(row) {
  const [isbn, title, author, price] = row.split(',');
  return { isbn, title, author, priceCents: Number(price) };
}

export class Catalogue {
  constructor(books) {
    this.books = books;
  }

  /** Books whose title holds the words, without regard to case and accents. */
  search(title) {
    const wanted = plain(title);
    return this.books.filter((book) => plain(book.title).includes(wanted));
  }
}

function plain(text) {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
