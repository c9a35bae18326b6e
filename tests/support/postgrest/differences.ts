import { canonical, errorOf, type Part } from "./compare.ts";
import { KINDS_OF_VERSIONS } from "./differences-of-versions.ts";
import { type Difference, isError, type Kind, NOT_IN_ROWS } from "./kind.ts";
import type { Response } from "./send.ts";

const isRefused = ({ status }: Response) => status >= 300 && status < 500;
const isCsv = ({ headers }: Response) => (headers["content-type"] ?? "").startsWith("text/csv");
/** The columns of a CSV in alphabetical order. */
const columnsOf = ({ body }: Response) => body.split("\n")[0]?.split(",").toSorted().join();
/** Whether a list in brackets has one name twice. */
const namesTwice = (path: string) =>
  [...path.matchAll(/\(([^()]*)\)/g)].some(([, list = ""]) => {
    const names = list.split(",").map((item) => item.split(":")[0]);
    // An alias may be the name of a column that `*` also selects.
    return new Set(names).size < names.length || (names.includes("*") && names.length > 1);
  });
/** A message without the table of a column. */
const withoutTable = (message = "") => message.replace(/^column [\w ]+\./, "column ");

/** Kinds of differences by name. The test fails on a difference without a kind, and on a kind without a difference. */
export const KINDS: Record<string, Kind> = {
  ...KINDS_OF_VERSIONS,
  "range only if requested": {
    reason: "Proxies do not compress an answer with Content-Range, and phones load long lists",
    parts: ["header content-range"],
    applies: ({ request, ours, theirs }) =>
      ours.headers["content-range"] === undefined &&
      /\/\*$/.test(theirs.headers["content-range"] ?? "") &&
      !/[?&](limit=\d|offset=[1-9])/.test(request.path),
  },
  "text of embedded rows": {
    reason: "Columns keep their order; PostgREST's conversion to jsonb sorts them, adds spaces and costs time",
    parts: ["body"],
    applies: ({ request, ours, theirs }) =>
      ours.status < 300 &&
      request.path.includes("(") &&
      // Of a name that occurs twice, jsonb keeps the last value, which may be null and left out.
      (canonical(ours.body, true) === canonical(theirs.body, true) ||
        (theirs.status < 300 && /nulls=stripped/.test(request.headers.accept ?? "") && namesTwice(request.path))),
  },
  "order of rows": {
    reason:
      "A list without an order has none: a function's rows, embedded and changed ones, the first that violates a constraint",
    parts: ["body", "message", "details"],
    applies: ({ request, ours, theirs }, own, their) =>
      isError("23503")(own, their) ||
      (ours.status < 300 &&
        canonical(ours.body, true) !== canonical(theirs.body, true) &&
        (request.method === "GET" && !/^\/rpc\/(?!.*[?&]order=)/.test(request.path)
          ? request.path.includes("(") && canonical(ours.body, false) === canonical(theirs.body, false)
          : canonical(`[${ours.body}]`, false) === canonical(`[${theirs.body}]`, false))),
  },
  "words of syntax errors": {
    reason: "The parsers are different programs",
    parts: ["message", "details"],
    applies: (_, own, their) => isError("PGRST100")(own, their) || isError("PGRST102")(own, their),
  },
  "several faults": {
    reason: "A request with several faults is refused for another of them",
    applies: ({ request, ours, theirs }, own, their) =>
      isRefused(ours) &&
      isRefused(theirs) &&
      // With one code, they may be about different names.
      (own.code !== their.code || /^(42703|PGRST108|PGRST200)$/.test(own.code ?? "")) &&
      // It may also be a fault that rows violate a constraint or are not exactly one, that a GET would change them, and that
      // a limit and a range have no row in common.
      (request.faults > 1 ||
        own.code === "PGRST116" ||
        [own, their].some(({ code }) => /^(23|25006|PGRST103)/.test(code ?? ""))),
  },
  "conditions that are arguments": {
    reason: "PostgREST takes a condition on a function's rows that it cannot read for an argument",
    applies: ({ request }, own, their) =>
      request.path.startsWith("/rpc/") && own.code === "PGRST100" && their.code === "PGRST202",
  },
  hints: {
    reason: "The catalogue is not public",
    parts: ["hint"],
    applies: (_, own, their) => own.hint === null && /^Perhaps you meant/.test(String(their.hint)),
  },
  "names of the statement": {
    reason: "An error names the table of the request, not an alias of the statement",
    parts: ["message", "hint"],
    applies: (_, own, their) =>
      (isError("42703")(own, their) && withoutTable(own.message) === withoutTable(their.message)) ||
      isError("42712")(own, their),
  },
  "two embedded relations of one name": {
    reason: "PostgREST runs the statement, and reports what fails in it",
    applies: (_, own) => own.code === "42712",
  },
  "types of values": {
    reason: "Values are parameters of type text or of their column; PostgREST's have an unknown type",
    applies: (_, own, their) =>
      own.code === "42883" &&
      ["42883", "42725", "42804"].includes(their.code ?? "") &&
      [own, their].every(({ message }) =>
        // An operator for integers exists, but is no condition.
        /^operator (does not exist|is not unique)|^argument of (WHERE|AND|OR|NOT) must be type boolean/.test(
          message ?? "",
        ),
      ),
  },
  "limits that are no numbers": {
    reason: "PostgREST ignores them, and would return all rows",
    applies: (_, own) => own.code === "PGRST100" && String(own.details).endsWith("a whole number"),
  },
  "rest of a selection": {
    reason: "PostgREST ignores what follows the part of a selection that it can read",
    applies: (_, own, their) =>
      own.code === "PGRST100" && their.code === undefined && /"failed to parse \(/.test(own.message ?? ""),
  },
  "indexes before a bracket": {
    reason:
      "PostgREST reads one at the end of an embedded relation as a name, and finds nothing or refuses a negative one",
    applies: ({ request, ours, theirs }, _, their) =>
      ((ours.status < 300 && theirs.status < 300) || their.code === "PGRST100") &&
      /-(>|%3E){1,2}-?\d+\)/i.test(request.path),
  },
  "negative limits": {
    reason: "PostgREST takes one that an offset compensates for the limit 0, and with a Range may name another bound",
    applies: ({ request }, own, their) =>
      own.code === "PGRST103" &&
      [undefined, "PGRST103", "PGRST116"].includes(their.code) &&
      /limit=[-0]/.test(request.path),
  },
  "changes without values": {
    reason: "PostgREST does not run them, and so finds no fault in their conditions",
    applies: ({ request, ours }) => request.method === "PATCH" && request.body === "{}" && isRefused(ours),
  },
  "lists of arrays": {
    reason: "PostgREST's statement needs a type for arrays of arrays, which does not exist",
    applies: (_, __, their) => their.code === "42704",
  },
  "lists of an empty text": {
    reason: "PostgREST takes them for lists without a member, so that their negation contains null",
    applies: ({ request, ours, theirs }) =>
      ours.status < 300 && theirs.status < 300 && /in\.\((""|%22%22)\)/.test(request.path),
  },
  "bodies that are no JSON": {
    reason: "With the parameter columns, PostgREST leaves a body to the database",
    applies: (_, own, their) => own.code === "PGRST102" && their.code === "22P02",
  },
  "bodies that are not rows": {
    reason: "PostgREST writes nothing, or only the first of several objects, and reports success",
    applies: (_, own) =>
      own.code === "PGRST102" && /^The body must be|^An update takes/.test(`${own.details ?? own.message}`),
  },
  "lists as arguments": {
    reason: "PostgREST calls with the first object of a list",
    applies: ({ request }, own) => own.code === "PGRST202" && (request.body ?? "").startsWith("["),
  },
  "other bodies": {
    reason: "Only JSON is offered",
    applies: ({ ours, request }) => ours.status === 415 && request.headers["content-type"] === "text/csv",
  },
  views: {
    reason: "PostgREST gives views the keys of their tables",
    applies: ({ request }, own) =>
      request.path.startsWith("/long_books") && ["not_supported", "PGRST105"].includes(own.code ?? ""),
  },
  "unnamed arguments": {
    reason: "Only a single one of json or jsonb is offered",
    applies: (_, own, their) => own.code === "not_supported" && ["PGRST202", "PGRST203"].includes(their.code ?? ""),
  },
  "limited changes": {
    reason: "A limit would not apply in newer versions, and change every row",
    applies: (_, own) => own.code === "PGRST109",
  },
  "changes without a condition": {
    reason: "They are refused, as on the hosted platform",
    applies: (_, own) => own.code === "21000" && own.message?.endsWith("requires a WHERE clause") === true,
  },
  "puts without the key": {
    reason: "PostgREST runs the statement, and reports that it lacks a column",
    applies: (_, own, their) => own.code === "PGRST115" && their.code === "42703",
  },
  "defaults of domains": {
    reason: "PostgREST knows the defaults of columns only, and writes null",
    applies: ({ request }, own, their) =>
      own.code === undefined && their.code === "23502" && /missing=default/.test(request.headers.prefer ?? ""),
  },
  "order by embedded columns": {
    reason: "PostgREST orders only by columns that the embedded relation selects once, and by no path into an array",
    applies: ({ request }, _, their) =>
      /[?&](order|[^&]*\.order)=[^&]*\(/.test(request.path) && [...NOT_IN_ROWS, "42883"].includes(their.code ?? ""),
  },
  "a column twice": {
    reason:
      "PostgREST's statement fails if an embedded relation with it is spread or orders rows; its CSV has a name twice",
    applies: ({ request, ours, theirs }, _, their) =>
      their.code === "42702" || (isCsv(ours) && isCsv(theirs) && namesTwice(request.path)),
  },
  "headers of CSV": {
    reason: "PostgREST's header of functions and changes has other columns than the rows, and does not need a row",
    parts: ["body"],
    applies: ({ request, ours, theirs }) =>
      (request.path.startsWith("/rpc/") || request.method !== "GET") &&
      // A function may set any status.
      ((isCsv(ours) && isCsv(theirs)) ||
        (request.headers.accept?.includes("text/csv") === true && ours.status < 300 && theirs.status < 300)),
  },
  "conditions on returned rows": {
    reason:
      "PostgREST applies conditions in brackets also to the returned rows, which may lack their columns, and those of an embedded relation also to the rows to change",
    applies: ({ request, theirs }, own, their) =>
      /^(PATCH|DELETE)$/.test(request.method) &&
      /[?&]([^=&]+\.)?(not\.)?(and|or)=/.test(request.path) &&
      ([...NOT_IN_ROWS, "42883"].includes(their.code ?? "") ||
        (theirs.body === "[]" && (own.code === undefined || /[?&][^=&]+\.(not\.)?(and|or)=/.test(request.path)))),
  },
  "order of embedded columns": {
    reason: "PostgREST puts relations with parameters of their own first; only CSV has an order of columns",
    parts: ["body"],
    applies: ({ request, ours, theirs }) =>
      isCsv(ours) && isCsv(theirs) && request.path.includes("(") && columnsOf(ours) === columnsOf(theirs),
  },
  "values that are not needed": {
    reason: "The database finds a wrong value only where its plan uses it",
    applies: ({ request, ours, theirs }, own, their) =>
      request.faults > 0 &&
      [own, their].every(({ code }) => code === undefined || /^(22|PGRST103|PGRST116)/.test(code)) &&
      ours.status < 500 &&
      theirs.status < 500 &&
      ours.status + theirs.status >= 600,
  },
  "puts that return no row": {
    reason: "PostgREST takes an answer without a row for another row than the requested one",
    applies: ({ ours }, _, their) => ours.status < 300 && their.code === "PGRST115",
  },
  "puts with conditions on relations": {
    reason: "PostgREST takes them for conditions on the row",
    applies: ({ request, ours }, _, their) =>
      ours.status < 300 && their.code === "PGRST105" && /[?&]\w+\.\w+=/.test(request.path),
  },
  "children by constraint": {
    reason: "A table that refers to itself embeds its children also by the name of the constraint",
    applies: ({ request }, _, their) => request.path.includes("!relatives_parent_id_fkey") && their.code === "PGRST200",
  },
  "steps into text": {
    reason: "They are refused before the statement runs",
    applies: ({ request }, own) => own.code === "PGRST100" && /-(>|%3E){2}city-(>|%3E)/i.test(request.path),
  },
  "type of refusals": {
    reason: "A refusal is JSON also when the request accepts CSV",
    parts: ["header content-type"],
    applies: ({ ours, theirs }, own, their) =>
      isError("PGRST103")(own, their) && ours.status === 416 && theirs.headers["content-type"] !== undefined,
  },
  "server-side failures": {
    reason: "The message of a failure of the server is in the log, and the response has a general one",
    parts: ["message", "details", "hint"],
    applies: ({ ours, theirs }, own, their) =>
      own.code !== undefined && own.code === their.code && ours.status >= 500 && theirs.status >= 400,
  },
  "read-only": {
    reason: "A write that the database refuses as read-only means that the installation is moved",
    applies: (_, own, their) => isError("25006")(own, their),
  },
  "pages of embedded relations": {
    reason: "PostgREST fails on a limit of 0 with an offset, with status 500 and no JSON",
    applies: ({ request, theirs }) =>
      theirs.status === 500 && theirs.body === "Something went wrong" && /\.limit=0/.test(request.path),
  },
  "pages of relations after a write": {
    reason: "PostgREST ignores the limit and offset of a relation that the response of a write embeds",
    parts: ["body"],
    applies: ({ request, ours, theirs }) =>
      !["GET", "HEAD"].includes(request.method) &&
      ours.status < 300 &&
      theirs.status < 300 &&
      /\.(limit|offset)=/.test(request.path),
  },
  "pages of relations that a write does not embed": {
    reason: "PostgREST ignores their limit, offset and order",
    applies: ({ request, theirs }, own) =>
      !["GET", "HEAD"].includes(request.method) &&
      own.code === "PGRST108" &&
      theirs.status < 300 &&
      /\.(limit|offset|order)=/.test(request.path),
  },
  "count of changed rows": {
    reason: "PostgREST counts the returned rows, of which an inner relation may leave some out",
    parts: ["header content-range"],
    applies: ({ request, ours, theirs }) =>
      !["GET", "HEAD"].includes(request.method) &&
      ours.status < 300 &&
      theirs.status < 300 &&
      request.path.includes("!inner"),
  },
  "quoted names of arguments": {
    reason: "PostgREST takes a name of an argument with quotation marks for the name without them",
    applies: ({ request }, own) => own.code === "PGRST202" && /^\/rpc\/.*[?&]("|%22)/.test(request.path),
  },
  "patterns for bytes": {
    reason: "PostgREST's pattern has an unknown type, which becomes bytea",
    applies: ({ request, theirs }, own) =>
      own.code === "42883" && theirs.status < 300 && /like\((any|all)\)/.test(request.path),
  },
  "arguments like conditions": {
    reason: "PostgREST takes an argument in a URL whose value reads as a condition for one",
    applies: ({ request }) =>
      request.method !== "POST" && /^\/rpc\/.*[?&][a-z]=(not\.)?[a-z]+(\([^()]*\))?\./.test(request.path),
  },
  "counts by estimate": {
    reason: "They are exact here: our tables are small, and an estimate needs a second statement",
    parts: ["status", "body", "header content-range", "header content-type"],
    applies: ({ request }) => /count=(planned|estimated)/.test(request.headers.prefer ?? ""),
  },
  "count()": {
    reason: "PostgREST offers aggregates only where they are turned on; a count needs no more than the rows",
    applies: (_, __, their) => their.code === "PGRST123",
  },
  casts: {
    reason: "Only casts to plain types are offered, whose input reads no catalogue",
    applies: (_, own) => own.code === "not_supported" && own.message?.includes("casts to") === true,
  },
  "time zones": {
    reason: "Times are in UTC",
    parts: ["body", "header preference-applied"],
    applies: ({ request }) => request.headers.prefer?.includes("timezone=") === true,
  },
  semicolons: {
    reason: "PostgREST takes them for separators of parameters, as & is; here they are a part of the value",
    applies: ({ request }) => request.path.includes(";"),
  },
  "groups without brackets": {
    reason: "PostgREST takes their name and value for a name of a column",
    applies: (_, own, their) => own.code === "PGRST100" && /column \w+\.(and|or)/.test(their.message ?? ""),
  },
  PGRST120: {
    reason: "PostgREST runs the statement, and reports a missing column for a filter of an embedded relation",
    applies: (_, own, their) => own.code === "PGRST120" && their.code === "42703",
  },
};

/** Returns the names of kinds that together explain a difference; undefined if a part has none. */
export function kindsOf(difference: Difference, listed: Record<string, Kind> = KINDS): string[] | undefined {
  const [own, their] = [errorOf(difference.ours), errorOf(difference.theirs)];
  const kinds = Object.entries(listed).filter(([, kind]) => kind.applies(difference, own, their));
  const explained = (part: Part) => kinds.some(([, { parts }]) => parts === undefined || parts.includes(part));
  return [...difference.parts].every(explained) ? kinds.map(([name]) => name) : undefined;
}
