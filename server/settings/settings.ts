import { z } from "zod";
import { EMAIL } from "../../shared/credentials.ts";
import type { S3Files, S3Service } from "../files/s3/bucket.ts";
import { collectorSettings } from "./collector-settings.ts";
import { howTo, productionProblems, type SettingProblem } from "./production.ts";
import { providerGroups, providerSettings } from "./provider-settings.ts";
import { proxyAddresses } from "./proxy-addresses.ts";
import { keysIn } from "./secrets.ts";
import { readSettingFiles } from "./setting-files.ts";
import { traceSettings, tracesOf } from "./trace-settings.ts";

const address = z.string().regex(EMAIL, "must be an email address");
/** A sender: `Skies <hello@skies.example>`, or the address alone. */
const sender = z
  .string()
  .regex(/^(?:[^<>"\p{Cc}]+ )?<[^\s<>@]+@[^\s<>@]+>$|^[^\s<>@]+@[^\s<>@]+$/u, "must be an address, or Name <address>")
  .transform((text) => {
    const [, name = "", bracketed] = text.match(/^(.*?) ?<(.+)>$/) ?? [];
    return { name, address: bracketed ?? text };
  });

/** Whether an address is the root of a site, with or without slashes at its end. What is no address has its own message. */
function isOrigin(address: string): boolean {
  if (!URL.canParse(address)) return true;
  const { pathname, search, hash, username, password, hostname } = new URL(address);
  const isRoot = /^\/*$/.test(pathname) && !`${search}${hash}${username}${password}`;
  return isRoot && /^(?:[a-z0-9-]+\.)*[a-z0-9-]+$|^\[.+\]$/.test(hostname);
}

/** Whether an address names a host, and its user and password can be decoded. */
function hasHostAndUser(address: string): boolean {
  if (!URL.canParse(address)) return true;
  const { hostname, username, password } = new URL(address);
  try {
    decodeURIComponent(username + password);
  } catch {
    return false;
  }
  return hostname !== "";
}

const region = z.string().regex(/^[a-z0-9-]+$/, "must be a region, as eu-central-1");
const endpoint = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ""));

/** The sender and recipients of emails if none are configured: addresses that exist only in the sandbox. */
const SANDBOX_MAIL = {
  MAIL_FROM: { name: "Skies", address: "hello@skies.example" },
  MAIL_INFO: "info@skies.example",
  MAIL_WELCOME_BCC: "welcomes@skies.example",
};
/** Groups of settings that are only valid together. */
const TOGETHER = [
  ["S3_BUCKET", "S3_REGION"],
  ["S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"],
  ["BACKUP_S3_ACCESS_KEY_ID", "BACKUP_S3_SECRET_ACCESS_KEY"],
  ["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_FROM"],
  ["TURNSTILE_SECRET_KEY", "TURNSTILE_SITE_KEY"],
  ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "STRIPE_PUBLISHABLE_KEY"],
  ...providerGroups,
] as const;
/** Pairs of settings. The first is only valid with the second. */
const MEANINGLESS_ALONE = [
  ["S3_ENDPOINT", "S3_BUCKET"],
  ["S3_ACCESS_KEY_ID", "S3_BUCKET"],
  ["S3_PRESIGNED_SECONDS", "S3_BUCKET"],
  ["S3_PUBLIC_ENDPOINT", "S3_PRESIGNED_SECONDS"],
  ["BACKUP_S3_ENDPOINT", "BACKUP_S3_REGION"],
  ["BACKUP_S3_ACCESS_KEY_ID", "BACKUP_S3_REGION"],
  ["DATABASE_DIRECT_URL", "DATABASE_URL"],
  ["DATABASE_READ_URL", "DATABASE_URL"],
  ["TRUST_TRACEPARENT", "TRUST_PROXY"],
] as const;
const Environment = z.object({
  NODE_ENV: z.enum(["development", "test", "production"]).default("development"),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  HOST: z.string().min(1).default("127.0.0.1"),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .refine(isOrigin, "must be an address without a path, user, query or fragment, as https://skies.example")
    // As browsers send it: in small letters, and without a usual port.
    .transform((url) => new URL(url).origin)
    .optional(),
  /** The port of /metrics. Without it nothing is counted. METRICS_HOST must be reachable only by the operator. */
  METRICS_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  METRICS_HOST: z.string().min(1).default("127.0.0.1"),
  /** Seconds that active requests may take when the server stops. */
  STOP_SECONDS: z.coerce.number().min(0).max(3600).default(8),
  /** The number of worker processes, in addition to the primary. Without it one process does everything. */
  WORKERS: z.coerce.number().int().min(1).max(128).optional(),
  DATA_DIR: z.string().min(1).default("./data"),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** The same database without a pooler, for connections that outlive a transaction. */
  DATABASE_DIRECT_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** A streaming replica, for reads that may be a second old. */
  DATABASE_READ_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be the name of a bucket")
    .optional(),
  S3_REGION: region.optional(),
  S3_ENDPOINT: endpoint.optional(),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  /** The size in mebibytes of a machine's local cache of copies of pictures and videos in S3. */
  S3_CACHE_MIB: z.coerce.number().int().min(64).default(2048),
  /** The lifetime of URLs at which browsers save large files from S3 itself. Unset: the server sends all bytes. */
  S3_PRESIGNED_SECONDS: z.coerce.number().int().min(1).max(3600).optional(),
  /** The URL of S3 for browsers, if it differs from S3_ENDPOINT. */
  S3_PUBLIC_ENDPOINT: endpoint.optional(),
  /** The folder for backups, or s3://bucket/prefix; without it there are no automatic backups. */
  BACKUP_TO: z.string().min(1).optional(),
  /** The region of the backups' object storage service. Without it, backups use the service of the files. */
  BACKUP_S3_REGION: region.optional(),
  BACKUP_S3_ENDPOINT: endpoint.optional(),
  BACKUP_S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  BACKUP_S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  BACKUP_EVERY_HOURS: z.coerce.number().min(1).default(24),
  /** Days after which a backup is removed. */
  BACKUP_KEEP_DAYS: z.coerce.number().int().min(1).default(30),
  BACKUP_PASSPHRASE: z.string().min(12, "needs at least 12 characters").optional(),
  /** The days in which every stored file is read again and compared with its checksum; 0: never. */
  READ_BACK_DAYS: z.coerce.number().min(0).max(3650).default(90),
  /** The most gibibytes that are read for it in a day. */
  READ_BACK_GIB_PER_DAY: z.coerce.number().positive().default(100),
  /** The root secret; after a change, the former ones follow, separated by commas or lines. */
  SECRET_KEY: z
    .string()
    .refine((text) => keysIn(text).every((key) => z.base64().safeParse(key).success), "Invalid base64-encoded string")
    .refine(
      (text) => keysIn(text).length > 0 && keysIn(text).every((key) => Buffer.from(key, "base64").length >= 32),
      "needs at least 32 bytes",
    )
    .optional(),
  /** For the privacy page: companies that process personal data, e.g. the host and the mail provider. */
  PROCESSORS: z
    .string()
    .default("")
    .transform((list) => list.split(",").flatMap((name) => name.trim() || [])),
  /** The maximum number of sign-ups, and of sign-ins, that one address may try in five minutes. */
  SIGN_IN_LIMIT: z.coerce.number().int().min(1).default(30),
  /** Mebibytes of memory for hashing a password; two hashes may run at once. */
  PASSWORD_HASH_MIB: z.coerce.number().int().min(8).max(2048).default(64),
  /** Milliseconds of database work that one caller may cause in a second. An address may cause four times as much. */
  REQUEST_BUDGET: z.coerce.number().int().min(10).default(1000),
  /** Whether a new email address must be confirmed before sign-in. Unset: in production only. */
  AUTH_CONFIRM_EMAIL: z.stringbool().optional(),
  /** Whether sign-up, sign-in and requests for messages need a bot check token. Unset: in production only. */
  AUTH_BOT_CHECK: z.stringbool().optional(),
  /** Minimum seconds between two messages to one address. */
  AUTH_MAIL_INTERVAL: z.coerce.number().int().min(0).default(60),
  /** Base URLs, separated by commas, that emailed links and sign-ins may redirect to, besides PUBLIC_URL. */
  AUTH_REDIRECT_URLS: z
    .string()
    .default("")
    .transform((list) => list.split(/[,\s]+/).filter(Boolean))
    .refine((list) => list.every((url) => URL.canParse(url)), "must be addresses with commas between them"),
  TRUST_PROXY: proxyAddresses.optional(),
  STRIPE_SECRET_KEY: z.string().min(1).optional(),
  /** The key that verifies the provider's signature of events at functions/v1/payment-webhook. */
  STRIPE_WEBHOOK_SECRET: z.string().min(1).optional(),
  STRIPE_PUBLISHABLE_KEY: z.string().min(1).optional(),
  /** Replaces https://api.stripe.com. */
  STRIPE_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Whether the provider calculates taxes, which our prices include. */
  STRIPE_AUTOMATIC_TAX: z.stringbool().default(false),
  TURNSTILE_SITE_KEY: z.string().min(1).optional(),
  TURNSTILE_SECRET_KEY: z.string().min(1).optional(),
  /** The base URL of `siteverify`. */
  TURNSTILE_BASE_URL: z.url({ protocol: /^https?$/ }).default("https://challenges.cloudflare.com/turnstile/v0"),
  /** The widget's script for browsers: a URL, or a path on this server. */
  TURNSTILE_SCRIPT_URL: z
    .string()
    .regex(/^(?:https?:\/)?\/\S+$/, "must be an address or a path")
    .default("https://challenges.cloudflare.com/turnstile/v0/api.js"),
  /** The maximum number of emails of one person in a day, and of messages to us from one address in an hour. */
  SEND_EMAIL_LIMIT: z.coerce.number().int().min(1).default(50),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .refine(hasHostAndUser, "must name a host, with signs of the user and password as %40 for @")
    .optional(),
  MAIL_FROM: sender.optional(),
  MAIL_INFO: address.optional(),
  MAIL_WELCOME_BCC: address.optional(),
  TWILIO_ACCOUNT_SID: z.string().startsWith("AC").optional(),
  TWILIO_AUTH_TOKEN: z.string().min(1).optional(),
  TWILIO_FROM: z.string().min(1).optional(),
  TWILIO_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  ...providerSettings,
  ...collectorSettings,
  ...traceSettings,
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
});

type Given = z.infer<typeof Environment>;

/** Returns the object storage service from the settings with this prefix; undefined without a region. */
function serviceOf(settings: Given, prefix: "S3_" | "BACKUP_S3_"): S3Service | undefined {
  const region = settings[`${prefix}REGION`];
  const accessKeyId = settings[`${prefix}ACCESS_KEY_ID`];
  const secretAccessKey = settings[`${prefix}SECRET_ACCESS_KEY`];
  const credentials = accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined;
  return region ? { region, endpoint: settings[`${prefix}ENDPOINT`], credentials, prefix } : undefined;
}

/** Returns the S3 settings of objects; undefined if objects are stored in a folder. */
function s3Of(settings: Given): S3Files | undefined {
  const service = serviceOf(settings, "S3_");
  const { S3_BUCKET: bucket, S3_CACHE_MIB, S3_PRESIGNED_SECONDS: seconds, S3_PUBLIC_ENDPOINT } = settings;
  if (!service || !bucket) return undefined;
  const presigned = seconds === undefined ? undefined : { seconds, endpoint: S3_PUBLIC_ENDPOINT };
  return { ...service, bucket, cacheBytes: S3_CACHE_MIB * 1024 * 1024, presigned };
}

const GIB = 1024 ** 3;

/** Returns the limits for reading stored files again; undefined if they are not. */
const readBackOf = ({ READ_BACK_DAYS: days, READ_BACK_GIB_PER_DAY: gib }: Given) =>
  days > 0 ? { days, maxBytesPerDay: gib * GIB } : undefined;

/** The names of all settings, also of unset ones. */
export const SETTING_NAMES: readonly string[] = Object.keys(Environment.shape);

export type Settings = ReturnType<typeof readSettings>;

/**
 * Reads the settings from environment variables; `NAME_FILE` names a file with the value of `NAME`. Throws one error that
 * names every missing or wrong setting.
 */
export function readSettings(environment: Record<string, string | undefined>) {
  const { values, problems: fileProblems } = readSettingFiles(environment, SETTING_NAMES);
  const parsed = Environment.safeParse(values);
  const unsafe =
    values.NODE_ENV === "production"
      ? productionProblems(values, SETTING_NAMES).filter(
          ({ name }) => !fileProblems.some((file) => file.name === `${name}_FILE`),
        )
      : [];
  const malformed = (parsed.error?.issues ?? [])
    // One sentence for each setting.
    .filter(({ path: [name] }, at, all) => all.findIndex(({ path }) => path[0] === name) === at)
    .map(({ path, message }) => ({ name: path.join("."), message: `${message}: ${howTo(String(path[0]))}` }));
  const problems = [
    ...fileProblems,
    ...unsafe,
    ...malformed.filter(({ name }) => !unsafe.some((one) => one.name === name)),
    ...combinationProblems(values),
  ];
  if (!parsed.success || problems.length > 0) {
    throw settingsError(problems);
  }
  const settings = parsed.data;
  return {
    ...SANDBOX_MAIL,
    ...settings,
    confirmEmail: settings.AUTH_CONFIRM_EMAIL ?? settings.NODE_ENV === "production",
    botCheckRequired: settings.AUTH_BOT_CHECK ?? settings.NODE_ENV === "production",
    s3: s3Of(settings),
    traces: tracesOf(settings),
    readBack: readBackOf(settings),
    backupS3: serviceOf(settings, "BACKUP_S3_") ?? serviceOf(settings, "S3_"),
    publicUrl: settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`,
  };
}

/**
 * The environment of a command that needs some settings only: with the values of `NAME_FILE` files, without empty ones.
 * Throws one error that names every file that cannot be read.
 */
export function readEnvironment(environment: Record<string, string | undefined>): Record<string, string> {
  const { values, problems } = readSettingFiles(environment, SETTING_NAMES);
  if (problems.length > 0) throw settingsError(problems);
  return values;
}

function settingsError(problems: SettingProblem[]): Error {
  const lines = problems.map(({ name, message }) => `  ${name}: ${message}`);
  return new Error(`These settings are missing or wrong:\n${[...new Set(lines)].join("\n")}`);
}

/** Settings that are missing because of others. */
function combinationProblems(values: Record<string, string | undefined>): SettingProblem[] {
  const problems: SettingProblem[] = [];
  for (const names of TOGETHER) {
    const present = names.find((name) => values[name]);
    for (const name of present ? names.filter((one) => !values[one]) : []) {
      problems.push({ name, message: `is required with ${present}` });
    }
  }
  for (const [name, required] of MEANINGLESS_ALONE) {
    if (values[name] && !values[required]) problems.push({ name: required, message: `is required with ${name}` });
  }
  if (values.BACKUP_TO?.startsWith("s3://") && !values.BACKUP_S3_REGION && !values.S3_REGION) {
    problems.push({ name: "BACKUP_S3_REGION", message: "is required with this BACKUP_TO" });
  }
  return problems;
}
