import { ORDER_TERMS } from "../bounds.ts";
import { tooMuch } from "./errors.ts";
import { parsePath } from "./parse-select.ts";
import type { Field, OrderTerm } from "./query.ts";
import { Reader } from "./reader.ts";

/** Reads `order`: `name.desc.nullslast,data->>city,relation(name)`. */
export function parseOrder(text: string): OrderTerm[] {
  const reader = new Reader(text);
  const terms = reader.list((): OrderTerm => {
    let field: Field = { name: reader.name("a column"), path: parsePath(reader) };
    let relation: string | undefined;
    if (field.path.length === 0 && reader.eat("(")) {
      relation = field.name;
      field = { name: reader.name("a column"), path: parsePath(reader) };
      reader.expect(")");
    }
    const term: OrderTerm = { relation, field, descending: false };
    if (reader.eat(".desc")) term.descending = true;
    else reader.eat(".asc");
    if (reader.eat(".nullsfirst")) term.nulls = "first";
    else if (reader.eat(".nullslast")) term.nulls = "last";
    return term;
  });
  reader.end();
  if (terms.length > ORDER_TERMS) throw tooMuch("terms to order by", ORDER_TERMS);
  return terms;
}
