import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import { type ExportResult, ExportResultCode, parseTraceParent } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import {
  ATTR_DB_QUERY_SUMMARY,
  ATTR_DB_SYSTEM_NAME,
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_SERVICE_INSTANCE_ID,
  ATTR_SERVICE_NAME,
  ATTR_SERVICE_VERSION,
  DB_SYSTEM_NAME_VALUE_POSTGRESQL,
} from "@opentelemetry/semantic-conventions";
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from "fastify";
import type { Database } from "../database/database.ts";
import { watchStatements } from "../database/watch-statements.ts";
import type { WatchCalls } from "../files/files.ts";
import type { TraceSettings } from "../settings/trace-settings.ts";
import { patternOf } from "./request-log.ts";

/** What is traced of one server. No span has an id, a name, an address or a word of anybody, or a parameter of a statement. */
export interface Traces {
  /** Traces the requests that `app` answers, and tells its log when the collector fails. */
  watchRequests(app: FastifyInstance): void;
  /** The same database, whose statements and transactions are spans of what they are made for. */
  watchDatabase(db: Database): Database;
  /** The same object, whose calls are spans of what they are made for. */
  watchCalls: WatchCalls;
  /** Runs a job in a trace of its own. */
  inTrace<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** What each line of the log says of the trace that is active. */
  logFields(): object;
  /** Sends what waits, in so many milliseconds at most. */
  close(ms: number): Promise<void>;
}

/** Asked every few seconds by what watches over the server. */
const PROBES = new Set(["/healthz", "/readyz"]);
const DATABASE = { [ATTR_DB_SYSTEM_NAME]: DB_SYSTEM_NAME_VALUE_POSTGRESQL };

/**
 * Sends the traces of one server to the collector of the settings. Nothing global is set, so that several servers in one
 * process do not share spans.
 */
export function openTraces(settings: TraceSettings, version = "", worker?: number): Traces {
  const { url, headers, timeoutMs: timeoutMillis } = settings;
  const collector = new OTLPTraceExporter({ url, headers, timeoutMillis });
  let log: Pick<FastifyBaseLogger, "warn" | "info"> | undefined;
  let isFailing = false;
  const report = ({ code, error }: ExportResult) => {
    if (isFailing === (code === ExportResultCode.FAILED)) return;
    isFailing = !isFailing;
    // Spans of many requests travel together.
    current.exit(() => {
      if (isFailing) log?.warn({ err: error }, "Traces cannot be delivered");
      else log?.info("Traces are delivered again");
    });
  };
  const exporter: SpanExporter = {
    export: (spans, done) =>
      collector.export(spans, (result) => {
        report(result);
        done(result);
      }),
    forceFlush: () => collector.forceFlush(),
    shutdown: () => collector.shutdown(),
  };
  const provider = new TracerProvider({
    sampler: samplerOf(settings),
    resource: resourceFromAttributes({
      ...settings.attributes,
      [ATTR_SERVICE_NAME]: settings.service,
      [ATTR_SERVICE_VERSION]: version,
      [ATTR_SERVICE_INSTANCE_ID]: randomUUID(),
      "process.pid": process.pid,
      ...(worker === undefined ? {} : { "skies.worker": worker }),
    }),
    // What does not fit into the queue is dropped; one batch at a time is on its way.
    spanProcessors: [
      new BatchSpanProcessor({ exporter, scheduledDelayMillis: settings.delayMs, maxQueueSize: settings.queued }),
    ],
  });
  const tracer = provider.getTracer("skies", version);
  const current = new AsyncLocalStorage<Span>();

  /** Runs `work` in `span`, which ends with it. */
  async function during<T>(span: Span, work: () => Promise<T>): Promise<T> {
    try {
      const result = await current.run(span, work);
      if (isRefusal(result)) span.setStatus({ code: SpanStatusCode.ERROR });
      return result;
    } catch (error) {
      span.setAttribute(ATTR_ERROR_TYPE, typeOf(error)).setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  }

  /** Runs `work` in a span below the active one. Without one, or when that has ended, there is nothing to tell. */
  function within<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
    const parent = current.getStore();
    if (!parent?.isRecording()) return work();
    const context = trace.setSpan(ROOT_CONTEXT, parent);
    return during(tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, context), work);
  }

  function statement<T>(text: string, run: () => Promise<T>): Promise<T> {
    if (!current.getStore()?.isRecording()) return run();
    const summary = summaryOf(text);
    return within(summary, { ...DATABASE, [ATTR_DB_QUERY_SUMMARY]: summary }, run);
  }

  return {
    watchRequests(app) {
      log = app.log;
      const spans = new WeakMap<FastifyRequest, Span>();
      // Bodies and answers come in the context of their connection, so the request's own is entered again.
      const enter = (request: FastifyRequest, _reply: unknown, done: () => void) => {
        const span = spans.get(request);
        if (span) current.run(span, done);
        else done();
      };
      app.addHook("onRequest", (request, { raw }, done) => {
        const route = patternOf(request);
        // A socket lasts for hours.
        if (request.headers.upgrade !== undefined || PROBES.has(route)) return done();
        const span = tracer.startSpan(
          `${request.method} ${route}`,
          {
            kind: SpanKind.SERVER,
            attributes: {
              [ATTR_HTTP_REQUEST_METHOD]: request.method,
              [ATTR_HTTP_ROUTE]: route,
              "skies.request_id": request.id,
            },
          },
          settings.trustsParent ? parentOf(request) : ROOT_CONTEXT,
        );
        spans.set(request, span);
        // Also when the client has gone before the answer.
        raw.once("close", () => {
          if (raw.headersSent) span.setAttribute(ATTR_HTTP_RESPONSE_STATUS_CODE, raw.statusCode);
          if (raw.headersSent && raw.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
          if (!raw.writableFinished) span.setAttribute("skies.client_left", true);
          span.end();
        });
        current.run(span, done);
      });
      app.addHook("preValidation", enter);
      app.addHook("onResponse", enter);
      app.addHook("onError", (request, _reply, error, done) => {
        spans.get(request)?.setAttribute(ATTR_ERROR_TYPE, typeOf(error));
        done();
      });
    },
    watchDatabase: (db) =>
      watchStatements(db, { statement, transaction: (run) => within("transaction", DATABASE, run) }),
    watchCalls: (kind, target, names) => {
      const watched = { ...target };
      for (const name of names) {
        const call = target[name] as ((...given: unknown[]) => Promise<unknown>) | undefined;
        const run = (...given: unknown[]) => within(`${kind} ${name}`, {}, async () => call?.apply(target, given));
        if (call) watched[name] = run as never;
      }
      return watched;
    },
    inTrace: (name, work) => during(tracer.startSpan(name, { root: true }, ROOT_CONTEXT), work),
    logFields() {
      const { traceId, traceFlags = TraceFlags.NONE } = current.getStore()?.spanContext() ?? {};
      return traceFlags & TraceFlags.SAMPLED ? { trace_id: traceId } : {};
    },
    async close(ms) {
      const flushed = new AbortController();
      const late = delay(ms, undefined, { signal: flushed.signal });
      await Promise.race([provider.shutdown(), late]).catch(() => {});
      flushed.abort();
    },
  };
}

const SAMPLERS = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio: number) => new TraceIdRatioBasedSampler(ratio),
};

function samplerOf({ sampler, isParentBased, ratio }: TraceSettings) {
  const root = SAMPLERS[sampler](ratio);
  return isParentBased ? new ParentBasedSampler({ root }) : root;
}

/**
 * The trace that the proxy in front began. What a visitor sends is not believed: they could put spans into traces of others,
 * and have all of theirs kept. So the connection has to be that of a trusted proxy, which says from whom it is.
 */
function parentOf({ ips = [], headers: { traceparent } }: FastifyRequest) {
  const parent = ips.length > 1 && typeof traceparent === "string" ? parseTraceParent(traceparent) : null;
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT;
}

/** Literals, and names in quotes: a visitor may choose some of those. */
const QUOTED = /'(?:[^']|'')*'|"((?:[^"]|"")*)"/g;
/** Our tables and functions by their schema, and tables after the words that stand before them. */
const TARGET =
  /\b(?:public\.([a-z_]\w*)|((?:private|auth|storage)\.[a-z_]\w*)|(?:from|into|update|join)\s+(?!(?:set|of|skip|lateral)\b)([a-z_]\w*)(?![\w.(]))/gi;
/** Queries of this statement alone, by their names. */
const OWN_QUERY = /\b([a-z_]\w*)\s+as\s+(?:(?:not\s+)?materialized\s+)?\(/gi;
const FUNCTION = /\b([a-z_]\w*)\s*\(/i;
/** Tables that a summary names. */
const MOST_TARGETS = 5;

/** What a statement does to which tables, as `select memories media`. Whatever it quotes is left out, except for names of ours. */
export function summaryOf(text: string): string {
  const bare = text.replace(QUOTED, (_, name = "") => (/^[a-z_][a-z0-9_]*$/.test(name) ? name : "?"));
  const verb = /\b(select|insert|update|delete)\b/i.exec(bare)?.[1]?.toLowerCase() ?? "statement";
  const own = new Set([...bare.matchAll(OWN_QUERY)].map(([, name]) => name));
  const targets = new Set([...bare.matchAll(TARGET)].map((found) => found.slice(1).find(Boolean)));
  const named = [...targets].filter((name) => !own.has(name)).slice(0, MOST_TARGETS);
  return [verb, ...(named.length > 0 ? named : [FUNCTION.exec(bare)?.[1] ?? ""])].join(" ").trim();
}

/** The kind of an error, never its message: that may quote what people entered. */
function typeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: string };
  return typeof code === "string" && /^\w{1,40}$/.test(code) ? code : (name ?? "unknown");
}

/** What gateways answer instead of throwing. */
const isRefusal = (result: unknown) => result instanceof Object && "accepted" in result && result.accepted === false;
