import { z } from "zod";

/** Pairs `name=value,name=value`, percent-encoded if necessary. */
const pairs = z
  .string()
  .default("")
  .transform((list, context) => {
    const pairs = list.split(",").flatMap((pair) => pair.trim() || []);
    try {
      return pairs.map((pair) => {
        const [, name = "", value = ""] = /^([^=\s]+)\s*=\s*(.*)$/.exec(pair) ?? [];
        if (name === "") throw new Error(pair);
        return [decodeURIComponent(name), decodeURIComponent(value)] as [string, string];
      });
    } catch {
      context.addIssue({ code: "custom", message: "must be name=value pairs with commas between them" });
      return z.NEVER;
    }
  });

const SAMPLERS = ["always_on", "always_off", "traceidratio"] as const;

/** The settings of traces, as OpenTelemetry defines them; only `TRUST_TRACEPARENT` is ours. */
export const traceSettings = {
  OTEL_SDK_DISABLED: z.stringbool().default(false),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** The full URL; replaces `/v1/traces` below the endpoint. */
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.literal("http/protobuf", "must be http/protobuf").default("http/protobuf"),
  OTEL_EXPORTER_OTLP_HEADERS: pairs,
  /** The timeout of requests to the collector in milliseconds. */
  OTEL_EXPORTER_OTLP_TIMEOUT: z.coerce.number().int().min(1).default(10_000),
  OTEL_SERVICE_NAME: z.string().min(1).default("skies"),
  OTEL_RESOURCE_ATTRIBUTES: pairs,
  OTEL_TRACES_SAMPLER: z
    .enum([...SAMPLERS, ...SAMPLERS.map((name) => `parentbased_${name}` as const)])
    .default("parentbased_always_on"),
  /** The share of traces that ratio samplers keep. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  /** The maximum delay in milliseconds before collected spans are sent. */
  OTEL_BSP_SCHEDULE_DELAY: z.coerce.number().int().min(1).default(5000),
  /** The maximum number of spans that wait to be sent; further spans are dropped. */
  OTEL_BSP_MAX_QUEUE_SIZE: z.coerce.number().int().min(1).default(2048),
  /** Whether the proxies of TRUST_PROXY always replace the `traceparent` that a visitor sends. */
  TRUST_TRACEPARENT: z.stringbool().default(false),
};

export type TraceSettings = NonNullable<ReturnType<typeof tracesOf>>;

/** Returns the collector and the sampling of traces; undefined if no collector is configured. */
export function tracesOf(settings: z.output<z.ZodObject<typeof traceSettings>>) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole } = settings;
  const url = whole ?? (base && `${base.replace(/\/+$/, "")}/v1/traces`);
  if (!url || settings.OTEL_SDK_DISABLED) return undefined;
  const [, parentBased, sampler] = /^(parentbased_)?(.*)$/.exec(settings.OTEL_TRACES_SAMPLER) ?? [];
  return {
    url,
    headers: Object.fromEntries(settings.OTEL_EXPORTER_OTLP_HEADERS),
    timeoutMs: settings.OTEL_EXPORTER_OTLP_TIMEOUT,
    service: settings.OTEL_SERVICE_NAME,
    attributes: Object.fromEntries(settings.OTEL_RESOURCE_ATTRIBUTES),
    sampler: sampler as (typeof SAMPLERS)[number],
    isParentBased: parentBased !== undefined,
    ratio: settings.OTEL_TRACES_SAMPLER_ARG,
    delayMs: settings.OTEL_BSP_SCHEDULE_DELAY,
    queued: settings.OTEL_BSP_MAX_QUEUE_SIZE,
    trustsParent: settings.TRUST_TRACEPARENT,
  };
}
