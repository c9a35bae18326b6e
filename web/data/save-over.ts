/** A row whose changes are counted. */
export interface Revised {
  revision: number;
}

/** An error of an edit conflict: somebody else has changed the same fields since editing began. Nothing was saved. */
export class EditConflict<Row extends Revised = Revised> extends Error {
  constructor(
    /** The stored row. */
    readonly stored: Row,
    /** The changes that were not saved. */
    readonly changes: Partial<Row>,
    /** The changed fields that somebody else has changed too. */
    readonly fields: readonly (keyof Row)[],
  ) {
    super("Changed by somebody else");
  }

  /** The changes of fields that nobody else has changed. */
  get others(): Partial<Row> {
    const { changes } = this;
    return pick(
      changes,
      fieldsOf(changes).filter((name) => !this.fields.includes(name)),
    );
  }

  /** The changes, with both texts one after the other in these fields; undefined if one would be too long. */
  both(longest: Partial<Record<keyof Row, number>>): Partial<Row> | undefined {
    const joined: Partial<Row> = { ...this.changes };
    for (const name of this.fields) {
      const limit = longest[name];
      if (limit === undefined) continue;
      const text = [this.stored[name], this.changes[name]].filter(Boolean).join("\n\n");
      if (text.length > limit) return undefined;
      joined[name] = text as Row[keyof Row];
    }
    return joined;
  }
}

/** An error of an undo: somebody has changed the same thing since, and their change stays. */
export class NotUndone extends Error {
  constructor() {
    super("Changed by somebody else since");
  }
}

const fieldsOf = <Row extends object>(values: Partial<Row>) => Object.keys(values) as (keyof Row)[];

const pick = <Row extends object>(values: Partial<Row>, names: readonly (keyof Row)[]) =>
  Object.fromEntries(names.map((name) => [name, values[name]])) as Partial<Row>;

/** Returns the fields of `next` whose value differs from that of `base`. */
export const changedFields = <Row extends object>(base: Row, next: Partial<Row>): Partial<Row> =>
  pick(
    next,
    fieldsOf(next).filter((name) => !isEqual(base[name], next[name])),
  );

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** The values that undo these changes. */
export const valuesBefore = <Row extends object>(base: Row, changes: Partial<Row>): Partial<Row> =>
  pick<Row>(base, fieldsOf(changedFields(base, changes)));

export interface Answer<Row> {
  data: Row | null;
  error: { code?: string; hint?: string | null } | null;
}

interface Writing<Row> {
  /** Writes the changes, `revision` among them. Resolves to no row if the caller may not change it, or it is gone. */
  write: (changes: Partial<Row> & Revised) => PromiseLike<Answer<Row>>;
  /** Reads the row; null if it is gone. */
  read: () => PromiseLike<Answer<Row>>;
  /** The message of other errors. */
  failure: string;
}

/** Whether the server refused an update because the row has another revision by now. */
export const isStale = (error: Answer<unknown>["error"]) => error?.code === "PT409" && error.hint === "conflict";

const TRIES = 5;

/**
 * Saves the changed fields of a row over the revision on which they are based. Somebody else's changes of other fields
 * stay, and are no conflict. Rejects with {@link EditConflict} if they changed one of the same fields to another value.
 * Resolves to the stored row.
 */
export async function saveOver<Row extends Revised>(
  base: Row,
  next: Partial<Row>,
  { write, read, failure }: Writing<Row>,
): Promise<Row> {
  const changes = changedFields(base, next);
  const names = fieldsOf(changes);
  if (names.length === 0) return base;
  let { revision } = base;
  for (let tries = 0; tries < TRIES; tries++) {
    const { data, error } = await write({ ...changes, revision });
    if (data) return data;
    if (!isStale(error)) throw new Error(failure, { cause: error });
    const now = await read();
    const stored = now.data;
    if (!stored) throw new Error(failure, { cause: now.error });
    const fields = names.filter((name) => !isEqual(stored[name], base[name]) && !isEqual(stored[name], changes[name]));
    if (fields.length > 0) throw new EditConflict(stored, changes, fields);
    // Another person made the same change, or the answer to an earlier attempt was lost.
    if (names.every((name) => isEqual(stored[name], changes[name]))) return stored;
    ({ revision } = stored);
  }
  throw new Error(failure);
}
