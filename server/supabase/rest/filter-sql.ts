import { SHORT_VALUE_LENGTH } from "../bounds.ts";
import { isShortType, type Table, type Type } from "./catalogue.ts";
import { RestError, tooLong, unknownColumn } from "./errors.ts";
import { type Condition, type Field, OPERATORS, type Test } from "./query.ts";
import { checkColumn, type Reader } from "./readable.ts";
import { arrayLiteral, inPublic, quote, type Values } from "./sql.ts";

/** The scope in which names are resolved: one table under its alias. */
export interface Scope {
  table: Table;
  alias: string;
  values: Values;
  reader: Reader;
  /** Whether the rows already contain computed columns, as the rows of a write do. */
  holdsComputed?: boolean | undefined;
  /** Collects the used columns, so that `returning` contains no others. */
  used: Set<string>;
  /** Returns SQL that is true if the embedded relation of that name has rows; undefined for an unknown relation. */
  embedFound(name: string): string | undefined;
}

/** Returns a column as SQL, with its type. Refuses one that the reader may not select. */
export function columnSql(scope: Scope, name: string): { sql: string; type: Type } {
  const computed = scope.table.columns.has(name) ? undefined : scope.table.computed.get(name);
  const column = computed ?? scope.table.columns.get(name);
  if (!column) throw unknownColumn(scope.table.name, name);
  checkColumn(scope.table, name, scope.reader);
  scope.used.add(name);
  if (computed && !scope.holdsComputed) return { sql: `${inPublic(name)}(${scope.alias})`, type: column.type };
  return { sql: `${scope.alias}.${quote(name)}`, type: column.type };
}

const TEXT: Type = {
  name: "pg_catalog.text",
  base: "pg_catalog.text",
  array: "pg_catalog._text",
  kind: "text",
  domain: null,
};
const JSONB: Type = {
  name: "pg_catalog.jsonb",
  base: "pg_catalog.jsonb",
  array: "pg_catalog._jsonb",
  kind: "jsonb",
  domain: null,
};

/** Returns a column or JSON path as SQL, with its type. */
export function fieldSql(scope: Scope, field: Field): { sql: string; type: Type } {
  const column = columnSql(scope, field.name);
  if (field.path.length === 0) return column;
  const isJson = column.type.kind === "jsonb" || column.type.kind === "json";
  let sql = isJson ? column.sql : `to_jsonb(${column.sql})`;
  for (const { key, index, asText } of field.path) {
    sql += `${asText ? "->>" : "->"}${scope.values.bind(key)}${index ? "::pg_catalog.int4" : ""}`;
  }
  return { sql: `(${sql})`, type: field.path.at(-1)?.asText ? TEXT : isJson ? column.type : JSONB };
}

/** Returns a condition as SQL. */
export function conditionSql(scope: Scope, condition: Condition): string {
  if (condition.kind === "test")
    return condition.negated ? `not (${testSql(scope, condition)})` : testSql(scope, condition);
  const parts = condition.parts.map((part) => `(${conditionSql(scope, part)})`).join(` ${condition.kind} `);
  return condition.negated ? `not (${parts})` : parts;
}

function testSql(scope: Scope, test: Test): string {
  // An embedded relation can have the name of the column that leads to it. A test for null is then for the relation.
  const isNullTest = test.operator === "is" && (test.value === "null" || test.value === "not_null");
  const isField = test.field.path.length > 0 || (scope.table.columns.has(test.field.name) && !isNullTest);
  const embedField = isField ? undefined : scope.embedFound(test.field.name);
  if (embedField !== undefined) return embedTestSql(test, embedField);
  const { sql, type } = fieldSql(scope, test.field);
  const { values } = scope;
  const operator = OPERATORS[test.operator];
  switch (test.operator) {
    case "is":
      return `${sql} is ${test.value === "not_null" ? "not null" : test.value}`;
    case "in":
      for (const member of test.values ?? []) checkLength(type, member);
      return memberSql(sql, type, test.values ?? [], values);
    case "like":
    case "ilike":
    case "match":
    case "imatch": {
      const pattern = values.bind(test.operator.endsWith("like") ? test.value.replaceAll("*", "%") : test.value);
      return `${sql} ${operator} ${test.quantifier ? `${test.quantifier}(${pattern}::pg_catalog._text)` : pattern}`;
    }
    case "fts":
    case "plfts":
    case "phfts":
    case "wfts": {
      const config = test.config === undefined ? "" : `${values.bind(test.config)}::pg_catalog.regconfig, `;
      const searched = type.kind === "tsvector" ? sql : `to_tsvector(${config}${sql})`;
      return `${searched} @@ ${operator}(${config}${values.bind(test.value)})`;
    }
  }
  if (!test.quantifier) checkLength(type, test.value);
  if (test.quantifier) return `${sql} ${operator} ${test.quantifier}(${values.bind(test.value)}::${arrayOf(type)})`;
  return `${sql} ${operator} ${values.bind(test.value)}::${type.base}`;
}

function checkLength(type: Type, value: string) {
  if (isShortType(type) && value.length > SHORT_VALUE_LENGTH) throw tooLong(`A value of type ${type.kind}`);
}

/** Returns SQL for a list test. A list of any length is one array parameter, unless the type has no arrays. */
function memberSql(sql: string, type: Type, members: string[], values: Values): string {
  if (type.array) return `${sql} = any(${values.bind(arrayLiteral(members))}::${type.array})`;
  if (members.length === 0) return "false";
  return `${sql} in (${members.map((member) => `${values.bind(member)}::${type.base}`).join(", ")})`;
}

function arrayOf(type: Type): string {
  if (type.array) return type.array;
  throw new RestError(400, "PGRST100", `any and all do not apply to the type ${type.kind}`);
}

function embedTestSql(test: Test, embed: string): string {
  if (test.operator === "is" && test.value === "null") return `not (${embed})`;
  if (test.operator === "is" && test.value === "not_null") return embed;
  throw new RestError(
    400,
    "PGRST120",
    `Bad operator on the '${test.field.name}' embedded resource`,
    "Only is null or not is null filters are allowed on embedded resources",
  );
}
