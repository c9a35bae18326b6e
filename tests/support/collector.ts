import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { atEnd } from "./at-end.ts";

type Attributes = Record<string, string | number | boolean | undefined>;

/** A received span. */
export interface SeenSpan {
  traceId: string;
  id: string;
  /** Empty for the root of a trace. */
  parentId: string;
  name: string;
  attributes: Attributes;
  /** The attributes of the span's process. */
  resource: Attributes;
}

/** A trace collector like OpenTelemetry's: OTLP in protobuf over HTTP. */
export interface Collector {
  url: string;
  spans: SeenSpan[];
  /** All received bodies, undecoded. */
  bodies: Buffer[];
  /** The headers of the last request. */
  headers(): IncomingHttpHeaders;
  close(): Promise<void>;
}

/** Starts a collector, on a free port by default; closed after the file. A `silent` one never answers. */
export async function startCollector({ port = 0, silent = false } = {}): Promise<Collector> {
  const spans: SeenSpan[] = [];
  const bodies: Buffer[] = [];
  let headers: IncomingHttpHeaders = {};
  const server = createServer(async (request, response) => {
    // An interrupted request is not recorded.
    const parts = await request.toArray().catch(() => undefined);
    if (!parts) return;
    const body = Buffer.concat(parts);
    bodies.push(body);
    headers = request.headers;
    if (request.url === "/v1/traces") spans.push(...spansOf(body));
    if (!silent) response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const close = async () => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  atEnd(close);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    headers: () => headers,
    close,
  };
}

// Field numbers are those of opentelemetry/proto/trace/v1/trace.proto and its imports.

const spansOf = (request: Buffer): SeenSpan[] =>
  messages(request, 1).flatMap((ofProcess) => {
    const resource = attributesOf(messages(ofProcess, 1)[0] ?? NOTHING, 1);
    return messages(ofProcess, 2)
      .flatMap((scope) => messages(scope, 2))
      .map((span) => {
        const bytes = (field: number) => messages(span, field)[0] ?? NOTHING;
        return {
          traceId: bytes(1).toString("hex"),
          id: bytes(2).toString("hex"),
          parentId: bytes(4).toString("hex"),
          name: bytes(5).toString(),
          attributes: attributesOf(span, 9),
          resource,
        };
      });
  });

const NOTHING = Buffer.alloc(0);

const attributesOf = (message: Buffer, field: number): Attributes =>
  Object.fromEntries(
    messages(message, field).map((pair) => {
      const [payload] = fieldsOf(messages(pair, 2)[0] ?? NOTHING);
      const value = payload?.field === 2 ? payload.value === 1 : payload?.value;
      return [String(messages(pair, 1)[0]), Buffer.isBuffer(value) ? value.toString() : value];
    }),
  );

/** The values of a length-delimited field. */
const messages = (message: Buffer, field: number): Buffer[] =>
  fieldsOf(message).flatMap((one) => (one.field === field && Buffer.isBuffer(one.value) ? [one.value] : []));

/** The fields of a protobuf message: https://protobuf.dev/programming-guides/encoding. */
function fieldsOf(message: Buffer): { field: number; value: number | Buffer }[] {
  const fields: { field: number; value: number | Buffer }[] = [];
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message.readUInt8(at);
      at += 1;
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    const [field, type] = [Math.floor(tag / 8), tag % 8];
    if (type === 0) fields.push({ field, value: varint() });
    else {
      const length = type === 2 ? varint() : type === 1 ? 8 : 4;
      fields.push({ field, value: message.subarray(at, at + length) });
      at += length;
    }
  }
  return fields;
}
