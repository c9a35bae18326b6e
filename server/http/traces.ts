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
import type { TraceSettings } from "../settings/trace-settings.ts";
import { patternOf } from "./request-log.ts";
import type { WatchCalls } from "./watch-calls.ts";

/** Traces of one server. No span contains an id, a name, an address, a text of a person or a parameter. */
export interface Traces {
  /** Traces the requests of `app`, and logs failures of the collector. */
  watchRequests(app: FastifyInstance): void;
  /** The same database; its statements and transactions become spans. */
  watchDatabase(db: Database): Database;
  /** The same object; its calls become spans. */
  watchCalls: WatchCalls;
  /** Runs a job as the root of a trace. */
  inTrace<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** The log fields of the active trace. */
  logFields(): object;
  /** Sends waiting spans, in at most `ms` milliseconds. */
  close(ms: number): Promise<void>;
}

/** Paths that monitoring polls every few seconds. */
const PROBES = new Set(["/healthz", "/readyz"]);
const DATABASE = { [ATTR_DB_SYSTEM_NAME]: DB_SYSTEM_NAME_VALUE_POSTGRESQL };

/**
 * Sends the traces of one server to the configured collector. Nothing is registered globally, so several servers in one
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
    // A batch contains spans of many requests, so the log line belongs to no trace.
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
    // Spans beyond the queue's size are dropped; one batch is sent at a time.
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

  /** Runs `work` in a child span of the active one, if there is one that has not ended. */
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
      // Bodies arrive in the context of their connection, so the request's context is restored.
      const enter = (request: FastifyRequest, _reply: unknown, done: () => void) => {
        const span = spans.get(request);
        if (span) current.run(span, done);
        else done();
      };
      app.addHook("onRequest", (request, { raw }, done) => {
        const route = patternOf(request);
        // A web socket lasts for hours.
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
        // Also called if the client disconnects before the answer.
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
        const call = target[name] as ((...args: unknown[]) => Promise<unknown>) | undefined;
        const run = (...args: unknown[]) => within(`${kind} ${name}`, {}, async () => call?.apply(target, args));
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
 * Returns the context of the trace that the proxy in front began. The connection must come from a trusted proxy, which
 * forwards the client's address. A visitor's own header is ignored, because visitors could add spans to other traces,
 * or have all of theirs stored.
 */
function parentOf({ ips = [], headers: { traceparent } }: FastifyRequest) {
  const parent = ips.length > 1 && typeof traceparent === "string" ? parseTraceParent(traceparent) : null;
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT;
}

/** Literals and quoted names, which may come from visitors. */
const QUOTED = /'(?:[^']|'')*'|"((?:[^"]|"")*)"/g;
/** Tables and functions with our schemas, and tables after keywords. */
const TARGET =
  /\b(?:public\.([a-z_]\w*)|((?:private|auth|storage)\.[a-z_]\w*)|(?:from|into|update|join)\s+(?!(?:set|of|skip|lateral)\b)([a-z_]\w*)(?![\w.(]))/gi;
/** Names of a statement's own `with` queries. */
const OWN_QUERY = /\b([a-z_]\w*)\s+as\s+(?:(?:not\s+)?materialized\s+)?\(/gi;
const FUNCTION = /\b([a-z_]\w*)\s*\(/i;
/** The maximum number of tables in a summary. */
const MOST_TARGETS = 5;

/** Returns a statement's verb and tables, e.g. `select memories media`, without quoted text except our names. */
export function summaryOf(text: string): string {
  const bare = text.replace(QUOTED, (_, name = "") => (/^[a-z_][a-z0-9_]*$/.test(name) ? name : "?"));
  const verb = /\b(select|insert|update|delete)\b/i.exec(bare)?.[1]?.toLowerCase() ?? "statement";
  const own = new Set([...bare.matchAll(OWN_QUERY)].map(([, name]) => name));
  const targets = new Set([...bare.matchAll(TARGET)].map((match) => match.slice(1).find(Boolean)));
  const otherTargets = [...targets].filter((name) => !own.has(name)).slice(0, MOST_TARGETS);
  return [verb, ...(otherTargets.length > 0 ? otherTargets : [FUNCTION.exec(bare)?.[1] ?? ""])].join(" ").trim();
}

/** An error's type without its message, which may quote input. */
function typeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: string };
  return typeof code === "string" && /^\w{1,40}$/.test(code) ? code : (name ?? "unknown");
}

/** Gateways return refusals instead of throwing. */
const isRefusal = (result: unknown) => result instanceof Object && "accepted" in result && result.accepted === false;
