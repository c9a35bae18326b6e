import type { Catalogue, ForeignKey, Table } from "./catalogue.ts";
import { notSupported, RestError } from "./errors.ts";
import type { EmbedItem } from "./query.ts";

/** The foreign keys that connect two tables. */
export interface Relationship {
  /** The constraint, or both constraints of a junction. */
  name: string;
  target: Table;
  toOne: boolean;
  /** Pairs of columns that are equal: of the source, and of the target or junction. */
  pairs: [source: string, other: string][];
  junction?: { table: Table; pairs: [junction: string, target: string][] };
}

const zip = (a: string[], b: string[]) => a.map((name, place): [string, string] => [name, b[place] ?? ""]);

function from(catalogue: Catalogue, source: Table): Relationship[] {
  const found: Relationship[] = [];
  const table = (name: string) => catalogue.tables.get(name);
  for (const key of catalogue.foreignKeys) {
    const [child, parent] = [table(key.table), table(key.target)];
    if (!child || !parent) continue;
    if (child.name === source.name) {
      found.push({ name: key.name, target: parent, toOne: true, pairs: zip(key.columns, key.referenced) });
    }
    if (parent.name === source.name) {
      found.push({ name: key.name, target: child, toOne: key.unique, pairs: zip(key.referenced, key.columns) });
      found.push(...throughJunction(catalogue, child, key));
    }
  }
  return found;
}

/** Returns many-to-many relationships through a junction: a table with two foreign keys in its primary key. */
function throughJunction(catalogue: Catalogue, junction: Table, near: ForeignKey): Relationship[] {
  const inPrimary = (key: ForeignKey) => key.columns.every((column) => junction.primary.includes(column));
  if (!inPrimary(near)) return [];
  return catalogue.foreignKeys.flatMap((far) => {
    const target = catalogue.tables.get(far.target);
    if (far === near || far.table !== junction.name || !target || !inPrimary(far)) return [];
    return {
      name: `${near.name}, ${far.name}`,
      target,
      toOne: false,
      pairs: zip(near.referenced, near.columns),
      junction: { table: junction, pairs: zip(far.columns, far.referenced) },
    };
  });
}

/** Whether `name` is the related table, a constraint or the column of a foreign key. */
const isNamed = (relationship: Relationship, name: string) =>
  relationship.target.name === name ||
  (!relationship.junction && (relationship.name === name || (relationship.toOne && leadsBy(relationship, 0, name))));

const isHinted = (relationship: Relationship, hint: string) =>
  relationship.junction
    ? relationship.junction.table.name === hint
    : relationship.name === hint || leadsBy(relationship, 0, hint) || leadsBy(relationship, 1, hint);

const leadsBy = ({ pairs }: Relationship, side: 0 | 1, column: string) =>
  pairs.length === 1 && pairs[0]?.[side] === column;

/** Returns the one relationship from `source` to the item. Refuses none (PGRST200) and several (PGRST201). */
export function findRelationship(catalogue: Catalogue, source: Table, item: EmbedItem): Relationship {
  const { relation, hint } = item;
  const found = from(catalogue, source).filter(
    (relationship) => isNamed(relationship, relation) && (hint === undefined || isHinted(relationship, hint)),
  );
  const [first] = found;
  if (!first) {
    if (isComputed(catalogue, source, relation)) {
      throw notSupported(
        "This server does not embed rows that a function of a row returns. Call the function instead.",
      );
    }
    if (source.isView || catalogue.tables.get(relation)?.isView) {
      throw notSupported("This server does not embed views. A function that returns rows of a table can be embedded.");
    }
    throw new RestError(
      400,
      "PGRST200",
      `Could not find a relationship between '${source.name}' and '${relation}' in the schema cache`,
      `Searched for a foreign key relationship between '${source.name}' and '${relation}'${
        hint === undefined ? "" : ` using the hint '${hint}'`
      } in the schema 'public', but no matches were found.`,
    );
  }
  if (found.length > 1) throw ambiguous(source, relation, found);
  return first;
}

/** Whether a function of one row of the table has this name. The platform would embed the rows that it returns. */
const isComputed = (catalogue: Catalogue, source: Table, name: string): boolean =>
  (catalogue.functions.get(name) ?? []).some(
    ({ args: [only, ...others] }) => only !== undefined && others.length === 0 && only.type.row === source.name,
  );

const ambiguous = (source: Table, relation: string, found: Relationship[]) =>
  new RestError(
    300,
    "PGRST201",
    `Could not embed because more than one relationship was found for '${source.name}' and '${relation}'`,
    found.map((one) => ({
      cardinality: one.junction ? "many-to-many" : one.toOne ? "many-to-one" : "one-to-many",
      embedding: `${source.name} with ${one.target.name}`,
      relationship: one.junction ? `${one.junction.table.name} using ${one.name}` : one.name,
    })),
    `Try changing '${relation}' to one of the following: ${found
      .map((one) => `'${relation}!${one.junction?.table.name ?? one.name}'`)
      .join(", ")}. Find the desired relationship in the 'details' key.`,
  );
