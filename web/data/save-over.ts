/** A row with the time of its last change, which is its version. */
export interface Revised {
  updated_at: string;
}

/** An error of an edit conflict: somebody else has changed the same fields since editing began. Nothing was saved. */
export class ChangedMeanwhile<Row extends Revised = Revised> extends Error {
  constructor(
    /** The stored row. */
    readonly now: Row,
    /** The changes that were not saved. */
    readonly changes: Partial<Row>,
    /** The changed fields that somebody else has changed too. */
    readonly fields: (keyof Row)[],
  ) {
    super("Changed by somebody else");
  }

  /** The changes of fields that nobody else has changed. */
  get others(): Partial<Row> {
    return Object.fromEntries(
      Object.entries(this.changes).filter(([name]) => !this.fields.includes(name as keyof Row)),
    ) as Partial<Row>;
  }
}

/** Returns the fields of `next` whose value differs from that of `base`. */
export function changedFields<Row extends object>(base: Row, next: Partial<Row>): Partial<Row> {
  const names = Object.keys(next) as (keyof Row)[];
  return Object.fromEntries(
    names.filter((name) => !isEqual(base[name], next[name])).map((name) => [name, next[name]]),
  ) as Partial<Row>;
}

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

interface Writing<Row> {
  /** Writes the changes if the row still has this version. Resolves to no row otherwise. */
  write: (changes: Partial<Row>, version: string) => PromiseLike<{ data: Row | null; error: unknown }>;
  /** Reads the row; null if it is gone. */
  read: () => PromiseLike<{ data: Row | null; error: unknown }>;
  /** The message of other errors. */
  failure: string;
}

const TRIES = 5;

/**
 * Saves the changed fields of a row over the version on which they are based. Somebody else's changes of other fields
 * stay, and are no conflict. Rejects with {@link ChangedMeanwhile} if they changed one of the same fields. Resolves to
 * the stored row.
 */
export async function saveOver<Row extends Revised>(
  base: Row,
  next: Partial<Row>,
  { write, read, failure }: Writing<Row>,
): Promise<Row> {
  const changes = changedFields(base, next);
  const names = Object.keys(changes) as (keyof Row)[];
  if (names.length === 0) return base;
  let version = base.updated_at;
  for (let tries = 0; tries < TRIES; tries++) {
    const { data, error } = await write(changes, version);
    if (data) return data;
    if (error) throw new Error(failure, { cause: error });
    const now = await read();
    if (now.error || !now.data) throw new Error(failure, { cause: now.error });
    const row = now.data;
    const fields = names.filter((name) => !isEqual(row[name], base[name]) && !isEqual(row[name], changes[name]));
    if (fields.length > 0) throw new ChangedMeanwhile(row, changes, fields);
    // An answer that was lost: the changes are stored already.
    if (names.every((name) => isEqual(row[name], changes[name]))) return row;
    // The row exists and has this version, but the caller may not change it.
    if (row.updated_at === version) throw new Error(failure);
    version = row.updated_at;
  }
  throw new Error(failure);
}
