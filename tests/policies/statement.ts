export type Statement = [text: string, values: unknown[]];

/** What is tried on one table. */
export interface Verbs {
  select: Statement;
  insert: Statement;
  update: Statement;
  delete: Statement;
}
