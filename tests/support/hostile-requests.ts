import { type IncomingHttpHeaders, request } from "node:http";
import { gunzipSync } from "node:zlib";

/** The protocol surfaces, each with its own error format. */
export type Surface = "rest" | "auth" | "storage" | "functions" | "realtime";

export interface HostileTarget {
  /** The server's URL without a trailing slash. */
  url: string;
  publishableKey: string;
  /** The access token of the person who owns `memory`. */
  token: string;
  memory: string;
}

export interface HostileAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface HostileRequest {
  name: string;
  surface: Surface;
  /** The only correct status. */
  status: number;
  send(target: HostileTarget): Promise<HostileAnswer>;
}

interface Parts {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Sends it as a visitor instead of the signed-in person. */
  anonymous?: boolean;
}

/** Sends a request unchanged; `fetch` would correct or refuse some. */
export function sendRaw(target: HostileTarget, parts: Parts): Promise<HostileAnswer> {
  const { method = "GET", path, headers = {}, body, anonymous } = parts;
  const { hostname, port } = new URL(target.url);
  const authorization = anonymous ? {} : { authorization: `Bearer ${target.token}` };
  const type = typeof body === "string" ? { "content-type": "application/json" } : {};
  return new Promise((resolve, reject) => {
    const sending = request(
      {
        hostname,
        port,
        method,
        path,
        agent: false,
        headers: {
          apikey: target.publishableKey,
          ...authorization,
          ...type,
          ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const bytes = Buffer.concat(chunks);
          const text = (response.headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes).toString("utf8");
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        });
      },
    );
    sending.on("error", reject);
    sending.end(body);
  });
}

const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
const brackets = (count: number) => `${"(".repeat(count)}a${")".repeat(count)}`;
const surfaceOf = (path: string): Surface => (/^\/(\w+)\/v1/.exec(path)?.[1] ?? "functions") as Surface;

const make = (name: string, status: number, parts: Parts | ((target: HostileTarget) => Parts)): HostileRequest => ({
  name,
  status,
  surface: surfaceOf(
    (typeof parts === "function" ? parts({ url: "", publishableKey: "", token: "", memory: "" }) : parts).path,
  ),
  send: (target) => sendRaw(target, typeof parts === "function" ? parts(target) : parts),
});

const upload = (metadata: Record<string, string>): Record<string, string> => ({
  "tus-resumable": "1.0.0",
  "upload-length": "10",
  "upload-metadata": Object.entries(metadata)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString("base64")}`)
    .join(","),
});

/** The HTML of a story, sent to the caller's own memory. */
const story = (body: string) => (target: HostileTarget) => ({
  method: "POST",
  path: "/rest/v1/stories",
  body: JSON.stringify({ memory_id: target.memory, body }),
});

/** Requests that try to keep the server busy or make it fail. Each is refused and changes nothing. */
export const hostileRequests: HostileRequest[] = [
  make("HTML of 900 kB with 300,000 tags", 413, story("<p>".repeat(300_000))),
  make("HTML of 300 kB with 100,000 tags", 400, story("<b>".repeat(100_000))),
  make("HTML nested 15,000 deep", 400, story("<ul>".repeat(15_000))),
  make("HTML of 900 kB in many rows", 413, ({ memory }) => ({
    method: "POST",
    path: "/rest/v1/stories",
    body: JSON.stringify(
      Array.from({ length: 120 }, (_, n) => ({ memory_id: memory, body: `${n}${"<p>".repeat(2500)}` })),
    ),
  })),
  make("HTML of 300 kB from a visitor without the right to write", 401, ({ memory }) => ({
    method: "PATCH",
    path: `/rest/v1/memories?id=eq.${memory}`,
    body: JSON.stringify({ description: "<p>word</p>".repeat(9000) }),
    anonymous: true,
  })),
  make("JSON nested 6,000 deep", 400, { method: "POST", path: "/rest/v1/memories", body: nested(6000) }),
  make("function arguments nested 6,000 deep", 400, {
    method: "POST",
    path: "/rest/v1/rpc/apply_voucher",
    body: `{"code_text":${nested(6000)}}`,
  }),
  make("arrays that are never closed", 400, { method: "POST", path: "/rest/v1/memories", body: "[".repeat(900_000) }),
  make("300,000 empty rows", 400, {
    method: "POST",
    path: "/rest/v1/memories",
    body: `[${Array(300_000).fill("{}").join()}]`,
  }),
  make("a UUID of 900 kB in a body", 400, {
    method: "POST",
    path: "/rest/v1/stories",
    body: JSON.stringify({ memory_id: "a".repeat(900_000), body: "<p>x</p>" }),
  }),
  make("a UUID of 9 kB in a filter", 400, { path: `/rest/v1/memories?id=eq.${"a".repeat(9000)}` }),
  ...["like", "ilike", "match", "imatch"].map((operator) =>
    make(`a pattern of ${operator} with 3,000 parentheses`, 400, {
      path: `/rest/v1/memories?person_name=${operator}.${brackets(3000)}`,
    }),
  ),
  ...["fts", "plfts", "phfts", "wfts"].map((operator) =>
    make(`a text search of ${operator} with 5,000 parentheses`, 400, {
      path: `/rest/v1/memories?person_name=${operator}.${brackets(5000)}`,
    }),
  ),
  make("a text search of nothing but negations", 400, {
    path: `/rest/v1/memories?person_name=fts.${"!".repeat(5000)}a`,
  }),
  make("a JSON filter nested 500 deep", 400, {
    path: `/rest/v1/memories?description=eq.${encodeURIComponent(nested(500))}`,
  }),
  make("2,000 steps into JSON", 400, { path: `/rest/v1/memories?select=description${"->a".repeat(2000)}` }),
  make("4,000 terms to order by", 400, { path: `/rest/v1/memories?order=${Array(2000).fill("id").join()}` }),
  make("1,000 levels of conditions", 400, { path: `/rest/v1/memories?and=${"(or".repeat(1000)}(id.is.null)` }),
  make("user metadata nested 4,000 deep at sign-up", 400, {
    method: "POST",
    path: "/auth/v1/signup",
    body: `{"email":"deep@example.com","password":"a good password","data":${nested(4000)}}`,
    anonymous: true,
  }),
  make("user metadata nested 4,000 deep in an account", 400, {
    method: "PUT",
    path: "/auth/v1/user",
    body: `{"data":${nested(4000)}}`,
  }),
  make("a bucket's settings nested 6,000 deep", 400, {
    method: "POST",
    path: "/storage/v1/bucket",
    body: nested(6000),
  }),
  make("object metadata nested 1,000 deep", 400, {
    method: "POST",
    path: "/storage/v1/upload/resumable",
    headers: upload({ bucketName: "media", objectName: "a.jpg", metadata: nested(1000) }),
  }),
  make("a function's body nested 6,000 deep", 400, {
    method: "POST",
    path: "/functions/v1/open-share",
    body: `{"shareId":${nested(6000)}}`,
  }),
  make("a zero byte in a row", 400, { method: "POST", path: "/rest/v1/memories", body: '{"person_name":"a\\u0000b"}' }),
  make("a zero byte in a filter", 400, { path: "/rest/v1/memories?person_name=eq.a%00b" }),
  make("a zero byte in a table's name", 400, { path: "/rest/v1/memo%00ries" }),
  make("a zero byte in a password", 400, {
    method: "POST",
    path: "/auth/v1/token?grant_type=password",
    body: '{"email":"a@example.com","password":"a\\u0000b"}',
    anonymous: true,
  }),
  make("a zero byte in a mailed token", 400, { path: "/auth/v1/verify?type=signup&token=a%00b" }),
  make("a zero byte in an object's name", 400, { path: "/storage/v1/object/media/a%00b.jpg" }),
  make("a zero byte in a listing", 400, {
    method: "POST",
    path: "/storage/v1/object/list/media",
    body: '{"prefix":"a\\u0000b"}',
  }),
  make("a zero byte in the bucket of an upload", 400, {
    method: "POST",
    path: "/storage/v1/upload/resumable",
    headers: upload({ bucketName: "med\0ia", objectName: "a.jpg" }),
  }),
  make("a zero byte in a share's id", 400, {
    method: "POST",
    path: "/functions/v1/open-share",
    body: '{"shareId":"a\\u0000b"}',
  }),
  make("a zero byte in a download's ticket", 400, { path: "/functions/v1/download?ticket=a%00b" }),
  make("a zero byte in a socket's key", 400, { path: "/realtime/v1/websocket?apikey=a%00b" }),
  make("a path that cannot be decoded", 400, { path: "/rest/v1/%E0%A4%A" }),
  ...["/rest/v1/memories", "/auth/v1/settings", "/storage/v1/bucket", "/functions/v1/download?ticket=a"].flatMap(
    (path) => [
      make(`a bad Host header at ${path}`, 400, { path, headers: { host: "a b[" } }),
      make(`a Host header that is another URL's part at ${path}`, 400, { path, headers: { host: "a@b/c?d" } }),
      make(`a URL of 30 kB at ${path}`, 414, {
        path: `${path}${path.includes("?") ? "&" : "?"}a=${"x".repeat(30_000)}`,
      }),
      make(`headers of 90 kB at ${path}`, 431, { path, headers: { "x-large": "x".repeat(90_000) } }),
    ],
  ),
];
