import { anyValue, mutate, type Random } from "./random.ts";

/** A generated request. */
export interface FuzzRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** The names and ids that requests are made of. */
export interface Vocabulary {
  tables: { name: string; columns: string[] }[];
  procedures: { name: string; arguments: string[] }[];
  /** The names of server functions. */
  functions: string[];
  /** Ids of other people's data. */
  ids: string[];
  /** Object names in the media bucket. */
  objects: string[];
}

const METHODS = ["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"];
const OPERATORS = [
  "eq",
  "neq",
  "gt",
  "gte",
  "lt",
  "lte",
  "like",
  "ilike",
  "match",
  "imatch",
  "in",
  "is",
  "isdistinct",
  "fts",
  "plfts",
  "phfts",
  "wfts",
  "cs",
  "cd",
  "ov",
  "sl",
  "sr",
  "nxr",
  "nxl",
  "adj",
  "like(any)",
  "eq(any)",
  "gt(all)",
  "ilike(all)",
  "fts(simple)",
  "wfts(english)",
];
const PLAIN_OPERATORS = ["eq", "neq", "gt", "lte", "in", "isdistinct"];
const AGGREGATES = ["count()", "sum()", "max()", "avg()"];
const CASTS = ["::text", "::int", "::uuid", "::json", "::date", "::bytea", "::regclass"];

/** A request to tables and database functions in PostgREST's grammar, with errors. */
export function restRequest(random: Random, vocabulary: Vocabulary): FuzzRequest {
  const table = random.pick(vocabulary.tables);
  // Half of the requests are like the app's, so that faults also reach later checks.
  const isPlain = random.once(2);
  const column = () => random.pick(isPlain ? table.columns : [...table.columns, "nothing", "metadata->>a", "a->0->b"]);
  const value = () =>
    String(isPlain || random.once(2) ? random.pick(vocabulary.ids) : anyValue(random, vocabulary.ids));
  const operand = (operator: string) => (/^in|\(a/.test(operator) ? `(${random.some(3, value).join(",")})` : value());
  const condition = () => {
    const operator = random.pick(isPlain ? PLAIN_OPERATORS : OPERATORS);
    return `${random.once(4) ? "not." : ""}${operator}.${operand(operator)}`;
  };
  const tree = (depth: number): string =>
    `${random.pick(["and", "or", "not.or", "not.and"])}(${random
      .some(3, () => (depth > 2 || !random.once(3) ? `${column()}.${condition()}` : tree(depth + 1)))
      .join(",")})`;
  const selected = (depth: number): string => {
    const kinds = [
      () => "*",
      column,
      () => `alias:${column()}`,
      () => `${column()}${random.pick(CASTS)}`,
      () => `${column()}.${random.pick(AGGREGATES)}`,
      () => {
        const other = random.pick(vocabulary.tables).name;
        const hint = random.once(3) ? random.pick(["!inner", "!left", `!${column()}`]) : "";
        return `${random.once(4) ? "..." : ""}${other}${hint}(${depth > 2 ? "*" : selected(depth + 1)})`;
      },
    ];
    return random.some(3, () => random.pick(kinds)()).join(",") || "*";
  };
  const parameters = [
    () => ["select", selected(0)],
    () => [column(), condition()],
    () => {
      const whole = tree(0);
      return [whole.slice(0, whole.indexOf("(")), whole.slice(whole.indexOf("("))];
    },
    () => ["order", `${column()}${random.pick(["", ".desc", ".asc.nullsfirst", ".nullslast", ".up"])}`],
    () => ["limit", String(random.pick([0, 1, 5, -1, "a", 1e12]))],
    () => ["offset", String(random.pick([0, 3, -1, "", 1e18]))],
    () => ["on_conflict", random.some(2, column).join(",")],
    () => ["columns", random.some(4, column).join(",")],
    () => [`${random.pick(vocabulary.tables).name}.${column()}`, condition()],
  ];
  const procedure = random.once(4) ? random.pick(vocabulary.procedures) : undefined;
  const query = random.some(isPlain ? 2 : 4, () => random.pick(isPlain ? parameters.slice(0, 5) : parameters)());
  if (procedure) for (const name of procedure.arguments) if (!random.once(3)) query.push([name, value()]);
  const names = procedure?.arguments ?? table.columns;
  const row = () =>
    Object.fromEntries(names.map((name) => [name, anyValue(random, vocabulary.ids)]).filter(() => !random.once(3)));
  const rows = random.once(4) ? random.some(3, row) : row();
  const headers = {
    ...(random.once(4) && {
      prefer: random.pick([
        "return=representation",
        "return=minimal",
        "count=exact",
        "count=planned",
        "resolution=merge-duplicates",
        "tx=rollback",
        "missing=default",
        "handling=strict",
        "max-affected=1",
        "params=single-object",
        "a=b;c",
      ]),
    }),
    ...(random.once(6) && { range: random.pick(["0-1", "5-", "-3", "9-2", "a-b", "0-99999999999"]) }),
    ...(random.once(6) && {
      accept: random.pick([
        "application/vnd.pgrst.object+json",
        "text/csv",
        "application/geo+json",
        "text/html",
        "*/*;q=x",
      ]),
    }),
    ...(random.once(30) && { "accept-profile": random.pick(["public", "auth", "storage", "private", "pg_catalog"]) }),
    ...(random.once(30) && { "content-profile": random.pick(["public", "auth", "storage", "private", "pg_catalog"]) }),
  };
  return finish(random, {
    method: procedure ? random.pick(["GET", "POST", "HEAD"]) : random.pick(METHODS),
    path: `/rest/v1/${procedure ? `rpc/${procedure.name}` : table.name}?${asQuery(query)}`,
    headers,
    body: JSON.stringify(rows),
  });
}

const STORAGE_ROUTES = [
  "object/media/{name}",
  "object/authenticated/media/{name}",
  "object/public/media/{name}",
  "object/sign/media/{name}",
  "object/sign/media",
  "object/list/media",
  "object/list-v2/media",
  "object/copy",
  "object/move",
  "object/media",
  "object/info/media/{name}",
  "object/info/authenticated/media/{name}",
  "object/upload/sign/media/{name}",
  "render/image/authenticated/media/{name}",
  "render/image/sign/media/{name}",
  "render/image/public/media/{name}",
  "bucket",
  "bucket/media",
  "bucket/media/empty",
  "upload/resumable",
  "upload/resumable/{name}",
  "object/{name}",
];

/** A request to the storage: reading, listing, signing, moving and both kinds of upload. */
export function storageRequest(random: Random, vocabulary: Vocabulary): FuzzRequest {
  const name = () =>
    random.pick([random.pick(vocabulary.objects), `${random.pick(vocabulary.ids)}/x.jpg`, "..", "a/../../b"]);
  const path = random.pick(STORAGE_ROUTES).replace("{name}", name);
  const query = random.some(3, () =>
    random.pick([
      ["token", "e30.e30.e30"],
      ["download", name()],
      ["width", "99999"],
      ["height", "-1"],
      ["quality", "a"],
      ["resize", "cover"],
      ["format", "origin"],
      ["transform", "1"],
    ]),
  );
  const upload = random.once(3) && {
    "tus-resumable": random.pick(["1.0.0", "0.2.1", "x"]),
    "upload-length": random.pick(["10", "0", "-1", "9999999999999", "a"]),
    "upload-offset": random.pick(["0", "5", "-1", "1e3"]),
    "upload-metadata": random.pick([
      `bucketName bWVkaWE=,objectName ${Buffer.from(name()).toString("base64")}`,
      "bucketName",
      "objectName !!!",
      "a ,b ,",
    ]),
  };
  const body = {
    prefix: name(),
    search: anyValue(random, vocabulary.ids),
    limit: anyValue(random, []),
    offset: anyValue(random, []),
    prefixes: random.some(3, name),
    paths: random.some(3, name),
    expiresIn: anyValue(random, []),
    bucketId: random.pick(["media", "spare"]),
    sourceKey: name(),
    destinationKey: name(),
    sortBy: { column: random.pick(["name", "created_at", "owner"]), order: random.pick(["asc", "desc", "x"]) },
  };
  return finish(random, {
    method: random.pick(METHODS),
    path: `/storage/v1/${path}?${asQuery(query)}`,
    headers: {
      ...upload,
      ...(random.once(4) && {
        range: random.pick(["bytes=0-1", "bytes=5-", "bytes=-3", "bytes=9-2", "bytes=0-1,3-4"]),
      }),
      ...(random.once(6) && { "x-upsert": "true" }),
      ...(random.once(6) && {
        "content-type": random.pick(["image/jpeg", "text/html", "multipart/form-data; boundary=x"]),
      }),
    },
    body: random.once(3) ? "not a picture" : JSON.stringify(body),
  });
}

/** Field names of the functions' bodies, so that requests pass the first check. */
const FIELDS = [
  "shareId",
  "share_id",
  "pin",
  "code",
  "secret",
  "memory_id",
  "memoryId",
  "email",
  "name",
  "token",
  "order_id",
  "items",
  "lines",
  "plan_id",
  "currency",
  "voucher",
  "success_url",
  "cancel_url",
  "ids",
  "kind",
  "form",
  "language",
  "to",
  "subject",
  "template",
  "reason",
  "account",
  "card_id",
  "message",
  "link_id",
  "invitation",
];

export function functionRequest(random: Random, vocabulary: Vocabulary): FuzzRequest {
  const fields = Object.fromEntries(
    FIELDS.filter(() => random.once(3)).map((name) => [name, anyValue(random, vocabulary.ids)]),
  );
  return finish(random, {
    method: random.pick(["POST", "POST", "POST", "GET", "HEAD", "PUT"]),
    path: `/${random.pick(["functions/v1", ".netlify/functions"])}/${random.pick(vocabulary.functions)}?${asQuery(
      random.some(2, () => [random.pick(FIELDS), String(anyValue(random, vocabulary.ids))]),
    )}`,
    headers: random.once(6) ? { "content-type": random.pick(["text/plain", "application/x-www-form-urlencoded"]) } : {},
    body: JSON.stringify(random.once(5) ? anyValue(random, vocabulary.ids) : fields),
  });
}

/** A message to a realtime socket, as text. */
export function socketMessage(random: Random, vocabulary: Vocabulary): string {
  const table = random.pick(vocabulary.tables);
  const binding = () => ({
    event: random.pick(["*", "INSERT", "UPDATE", "x"]),
    schema: random.pick(["public", "auth", "private", 1]),
    table: random.pick([table.name, "users", "*", anyValue(random, vocabulary.ids)]),
    filter: random.pick([
      `${random.pick(table.columns)}=eq.${random.pick(vocabulary.ids)}`,
      anyValue(random, vocabulary.ids),
    ]),
  });
  const payload = random.pick([
    () => ({
      config: { postgres_changes: random.some(4, binding), presence: { key: "" }, broadcast: { self: false } },
    }),
    () => ({ access_token: anyValue(random, vocabulary.ids) }),
    () => ({ type: "broadcast", event: "x", payload: anyValue(random, vocabulary.ids) }),
    () => anyValue(random, vocabulary.ids),
  ])();
  const topic = random.pick(["phoenix", "realtime:a", "realtime:b", "realtime:*", "x", random.pick(vocabulary.ids)]);
  const event = random.pick([
    "phx_join",
    "phx_join",
    "phx_leave",
    "heartbeat",
    "access_token",
    "broadcast",
    "presence",
    "x",
  ]);
  const message = random.once(5)
    ? anyValue(random, vocabulary.ids)
    : ["1", String(random.below(99)), topic, event, payload];
  const text = JSON.stringify(message) ?? "";
  return random.once(6) ? mutate(random, text) : text;
}

const asQuery = (pairs: string[][]) =>
  pairs.map(([name = "", value = ""]) => `${encode(name)}=${encode(value)}`).join("&");
/** Half a surrogate pair cannot be encoded. */
const wellFormed = (text: string) => Buffer.from(text).toString();
const encode = (text: string) => encodeURIComponent(wellFormed(text));

/** Removes a body that the method does not allow, and makes a few requests malformed. */
function finish(random: Random, { body, ...request }: FuzzRequest): FuzzRequest {
  const path = random.once(6)
    ? request.path.replace(/\/v1\/(.*)$/, (_, rest: string) => `/v1/${broken(random, rest)}`)
    : request.path;
  const sent = /GET|HEAD|OPTIONS/.test(request.method) ? undefined : random.once(8) ? mutate(random, body ?? "") : body;
  const headers = sent === undefined ? request.headers : { "content-type": "application/json", ...request.headers };
  return { ...request, path, headers, ...(sent === undefined ? {} : { body: sent }) };
}

/** Encodes characters that HTTP clients refuse in a request line; others stay. */
const broken = (random: Random, text: string) =>
  mutate(random, text).replace(/[^\x21-\x7e]/g, (character) => encodeURIComponent(wellFormed(character)));
