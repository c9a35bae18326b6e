import type { Catalogue, ForeignKey, Table } from "./catalogue.ts";
import { notSupported, RestError } from "./errors.ts";
import type { EmbedItem } from "./query.ts";

/** The foreign keys that connect two tables. */
export interface Relationship {
  /** The constraint, or both constraints of a junction. */
  name: string;
  target: Table;
  toOne: boolean;
  cardinality: "many-to-one" | "one-to-many" | "one-to-one" | "many-to-many";
  /** Whether the target's rows have the foreign key. */
  isChild: boolean;
  /** Pairs of columns that are equal: of the source, and of the target or junction. */
  pairs: [source: string, other: string][];
  junction?: { table: Table; names: [near: string, far: string]; pairs: [junction: string, target: string][] };
}

const zip = (a: string[], b: string[]) => a.map((name, place): [string, string] => [name, b[place] ?? ""]);

function from(catalogue: Catalogue, source: Table): Relationship[] {
  const relationships: Relationship[] = [];
  const table = (name: string) => catalogue.tables.get(name);
  for (const key of catalogue.foreignKeys) {
    const [child, parent] = [table(key.table), table(key.target)];
    if (!child || !parent) continue;
    if (child.name === source.name) {
      const cardinality = key.unique ? "one-to-one" : "many-to-one";
      const pairs = zip(key.columns, key.referenced);
      relationships.push({ name: key.name, target: parent, toOne: true, cardinality, pairs, isChild: false });
    }
    if (parent.name === source.name) {
      const cardinality = key.unique ? "one-to-one" : "one-to-many";
      const pairs = zip(key.referenced, key.columns);
      relationships.push({ name: key.name, target: child, toOne: key.unique, cardinality, pairs, isChild: true });
      relationships.push(...throughJunction(catalogue, child, key));
    }
  }
  return relationships;
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
      cardinality: "many-to-many",
      isChild: false,
      pairs: zip(near.referenced, near.columns),
      junction: { table: junction, names: [near.name, far.name], pairs: zip(far.columns, far.referenced) },
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

/**
 * Whether an item means a relationship of a table with itself, which one foreign key makes in two directions: the
 * table's name means the children, also with the key's column or constraint as a hint; the column means the parent.
 */
const isMeantWithin = (relationship: Relationship, { relation, hint }: EmbedItem): boolean => {
  if (relationship.junction) return false;
  if (!relationship.isChild) return hint === undefined && leadsBy(relationship, 0, relation);
  if (relationship.target.name !== relation) return false;
  return hint === undefined || relationship.name === hint || leadsBy(relationship, 1, hint);
};

/** Returns the one relationship from `source` to the item. Refuses none (PGRST200) and several (PGRST201). */
export function findRelationship(catalogue: Catalogue, source: Table, item: EmbedItem): Relationship {
  const { relation, hint } = item;
  const relationships = from(catalogue, source).filter((relationship) =>
    relationship.target === source
      ? isMeantWithin(relationship, item)
      : isNamed(relationship, relation) && (hint === undefined || isHinted(relationship, hint)),
  );
  const [first] = relationships;
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
  if (relationships.length > 1) throw ambiguous(source, relation, relationships);
  return first;
}

/** Whether a function of one row of the table has this name. The platform would embed the rows that it returns. */
const isComputed = (catalogue: Catalogue, source: Table, name: string): boolean =>
  (catalogue.functions.get(name) ?? []).some(
    ({ args: [only, ...others] }) => only !== undefined && others.length === 0 && only.type.row === source.name,
  );

const ambiguous = (source: Table, relation: string, candidates: Relationship[]) =>
  new RestError(
    300,
    "PGRST201",
    `Could not embed because more than one relationship was found for '${source.name}' and '${relation}'`,
    candidates.map((one) => ({
      cardinality: one.cardinality,
      embedding: `${source.name} with ${one.target.name}`,
      relationship: descriptionOf(source, one),
    })),
    `Try changing '${relation}' to one of the following: ${candidates
      .map((one) => `'${one.target.name}!${one.junction?.table.name ?? one.name}'`)
      .join(", ")}. Find the desired relationship in the 'details' key.`,
  );

/** Describes the constraints and columns of a relationship, as PostgREST does. */
function descriptionOf(source: Table, { name, target, pairs, junction }: Relationship): string {
  const list = (columns: string[]) => `(${columns.join(", ")})`;
  if (!junction) {
    const [own, other] = [pairs.map(([column]) => column), pairs.map(([, column]) => column)];
    return `${name} using ${source.name}${list(own)} and ${target.name}${list(other)}`;
  }
  const [near, far] = junction.names;
  const [nearColumns, farColumns] = [pairs.map(([, column]) => column), junction.pairs.map(([column]) => column)];
  return `${junction.table.name} using ${near}${list(nearColumns)} and ${far}${list(farColumns)}`;
}
