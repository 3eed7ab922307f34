/** The items that were read ahead of an iterator, and then its others. Ends the iterator when the reader stops. */
export async function* continued<T>(read: readonly T[], rest: AsyncIterator<T>): AsyncGenerator<T> {
  try {
    yield* read;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
