import { expect, test } from "vitest";
import { readSettings } from "./settings.ts";

const production = {
  NODE_ENV: "production",
  PUBLIC_URL: "https://skies.example/",
  SECRET_KEY: Buffer.alloc(32, 1).toString("base64"),
  SMTP_URL: "smtps://skies:secret@mail.example",
  MAIL_FROM: "Skies <hello@skies.example>",
  MAIL_INFO: "info@skies.example",
  MAIL_WELCOME_BCC: "welcomes@skies.example",
  STRIPE_SECRET_KEY: "sk_live_1",
  STRIPE_WEBHOOK_SECRET: "whsec_1",
  STRIPE_PUBLISHABLE_KEY: "pk_live_1",
  TURNSTILE_SITE_KEY: "1x",
  TURNSTILE_SECRET_KEY: "1x",
};

test("development needs no settings", () => {
  expect(readSettings({})).toMatchObject({
    NODE_ENV: "development",
    publicUrl: "http://localhost:3000",
    MAIL_FROM: { name: "Skies", address: "hello@skies.example" },
  });
});

test("an empty variable is an unset one", () => {
  expect(readSettings({ PORT: "", SMTP_URL: "" })).toMatchObject({ PORT: 3000 });
});

test("production starts with its required settings", () => {
  expect(readSettings(production)).toMatchObject({ publicUrl: "https://skies.example", SMTP_URL: production.SMTP_URL });
});

test("production reports all missing settings at once", () => {
  const missing = Object.keys(production).filter((name) => name !== "NODE_ENV");
  const start = () => readSettings({ NODE_ENV: "production" });
  for (const name of missing) expect(start).toThrow(new RegExp(`^  ${name}: is required in production$`, "m"));
});

test.each([
  ["Skies <hello@skies.example>", { name: "Skies", address: "hello@skies.example" }],
  ["Our Skies, Ltd <hello@skies.example>", { name: "Our Skies, Ltd", address: "hello@skies.example" }],
  ["<hello@skies.example>", { name: "", address: "hello@skies.example" }],
  ["hello@skies.example", { name: "", address: "hello@skies.example" }],
])("a sender may be written as %s", (text, sender) => {
  expect(readSettings({ MAIL_FROM: text }).MAIL_FROM).toEqual(sender);
});

test.each(["Skies", "Skies <hello>", "Skies\r\nBcc: x <hello@skies.example>", "a@b.example, c@d.example"])(
  "%j is no sender",
  (text) => {
    expect(() => readSettings({ MAIL_FROM: text })).toThrow("MAIL_FROM");
  },
);

const COLLECTOR = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/" };

test("traces go to the collector that the settings name, and nowhere without one", () => {
  expect(readSettings({}).traces).toBeUndefined();
  expect(readSettings({ ...COLLECTOR, OTEL_SDK_DISABLED: "true" }).traces).toBeUndefined();
  const given = {
    ...{ OTEL_EXPORTER_OTLP_HEADERS: "authorization=Basic%20a=, x-scope = one", OTEL_TRACES_SAMPLER_ARG: "0.25" },
    ...{ OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_SERVICE_NAME: "family" },
  };
  expect(readSettings({ ...COLLECTOR, ...given }).traces).toMatchObject({
    ...{ url: "http://collector:4318/v1/traces", headers: { authorization: "Basic a=", "x-scope": "one" } },
    ...{ sampler: "traceidratio", isParentBased: true, ratio: 0.25, service: "family", trustsParent: false },
  });
  const OTEL_EXPORTER_OTLP_TRACES_ENDPOINT = "https://traces.example/otlp";
  expect(readSettings({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT }).traces?.url).toBe(OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
});

test.each([
  { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
  { OTEL_EXPORTER_OTLP_HEADERS: "authorization" },
  { OTEL_RESOURCE_ATTRIBUTES: "name=%" },
  { OTEL_TRACES_SAMPLER: "jaeger_remote" },
  { OTEL_TRACES_SAMPLER_ARG: "2" },
])("the server does not start with %j", (given) => {
  expect(() => readSettings(given)).toThrow(Object.keys(given)[0]);
});

test("trusting trace headers requires a trusted proxy", () => {
  expect(() => readSettings({ TRUST_TRACEPARENT: "true" })).toThrow("TRUST_PROXY: is required with TRUST_TRACEPARENT");
});

test.each<[string, Record<string, string>]>([
  ["the SMS vendor", { TWILIO_ACCOUNT_SID: "AC1", TWILIO_AUTH_TOKEN: "secret", TWILIO_FROM: "+390212345678" }],
  ["the bot check", { TURNSTILE_SITE_KEY: "1x", TURNSTILE_SECRET_KEY: "2x" }],
])("the settings of %s are given together or not at all", (_whose, group) => {
  expect(readSettings(group)).toMatchObject(group);
  for (const [name, value] of Object.entries(group)) {
    for (const other of Object.keys(group).filter((other) => other !== name)) {
      expect(() => readSettings({ [name]: value })).toThrow(`${other}: is required with ${name}`);
    }
  }
});

test("backups into a bucket use the S3 service of the files unless another is set", () => {
  const BACKUP_TO = "s3://backups/skies";
  expect(() => readSettings({ BACKUP_TO })).toThrow("BACKUP_S3_REGION: is required");
  const files = { S3_BUCKET: "files", S3_REGION: "eu-south-1" };
  expect(readSettings({ BACKUP_TO, ...files }).backupS3).toMatchObject({ region: "eu-south-1" });
  expect(readSettings({ BACKUP_TO, ...files, BACKUP_S3_REGION: "eu-west-1" }).backupS3?.region).toBe("eu-west-1");
});

test("a bot-check token is required in production, and elsewhere by a setting", () => {
  expect(readSettings({}).botCheckRequired).toBe(false);
  expect(readSettings({ AUTH_BOT_CHECK: "true" }).botCheckRequired).toBe(true);
  expect(readSettings(production).botCheckRequired).toBe(true);
  expect(readSettings({ ...production, AUTH_BOT_CHECK: "false" }).botCheckRequired).toBe(false);
});
