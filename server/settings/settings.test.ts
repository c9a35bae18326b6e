import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readEnvironment, readSettings } from "./settings.ts";

const random = () => randomBytes(32).toString("base64");
const production = {
  NODE_ENV: "production",
  PUBLIC_URL: "https://skies.test/",
  SECRET_KEY: random(),
  SMTP_URL: "smtps://skies:hunter2@mail.skies.test",
  MAIL_FROM: "Skies <hello@skies.test>",
  MAIL_INFO: "info@skies.test",
  MAIL_WELCOME_BCC: "welcomes@skies.test",
  STRIPE_SECRET_KEY: "sk_live_51Hk3jd8Gk2lKd93kdKE83",
  STRIPE_WEBHOOK_SECRET: "whsec_9dk3Kd93kdLs83mdKd92kd",
  STRIPE_PUBLISHABLE_KEY: "pk_live_51Rk7jd1Gk5lPd42kdTE09",
  TURNSTILE_SITE_KEY: "0x4AAAAAAABkMYinukE8nz",
  TURNSTILE_SECRET_KEY: "0x4AAAAAAABkMYinukE8nzYsLp9d",
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
  expect(readSettings(production)).toMatchObject({ publicUrl: "https://skies.test", SMTP_URL: production.SMTP_URL });
});

test("production reports all missing settings at once", () => {
  const missing = Object.keys(production).filter((name) => name !== "NODE_ENV");
  const start = () => readSettings({ NODE_ENV: "production" });
  for (const name of missing) expect(start).toThrow(new RegExp(`^  ${name}: is required in production: .{20}`, "m"));
});

/** The names of the settings that a start complains about, in its order. */
function refusedNames(environment: Record<string, string | undefined>): string[] {
  try {
    readSettings(environment);
    return [];
  } catch (error) {
    return (error as Error).message.split("\n").flatMap((line) => line.match(/^ {2}(\w+): /)?.[1] ?? []);
  }
}

test("missing, malformed, incomplete and unsafe settings are reported in one list", () => {
  const { SMTP_URL: _, ...rest } = production;
  const names = refusedNames({
    ...rest,
    PORT: "http",
    S3_BUCKET: "files",
    PUBLIC_URL: "http://skies.test",
    STRIPE_SECRET_KEY: "pk_live_51Rk7jd1Gk5lPd42kdTE09",
  });
  expect(new Set(names)).toEqual(new Set(["PORT", "S3_REGION", "PUBLIC_URL", "SMTP_URL", "STRIPE_SECRET_KEY"]));
});

test("random root keys of every length are accepted", () => {
  for (const length of [32, 33, 48, 64, 96]) {
    for (let round = 0; round < 200; round++) {
      const SECRET_KEY = randomBytes(length).toString("base64");
      expect(refusedNames({ ...production, SECRET_KEY }), SECRET_KEY).toEqual([]);
    }
  }
});

const base64 = (bytes: Iterable<number> | string) =>
  (typeof bytes === "string" ? Buffer.from(bytes) : Buffer.from([...bytes])).toString("base64");

test.each([
  ["one byte repeated", base64(Buffer.alloc(32, 1))],
  ["the placeholder of the example", `${"A".repeat(43)}=`],
  ["few different bytes", base64(Array.from({ length: 64 }, (_, at) => at % 16))],
  ["bytes that count", base64(Array.from({ length: 32 }, (_, at) => at))],
  ["bytes that count down by three", base64(Array.from({ length: 40 }, (_, at) => 250 - at * 3))],
  ["a sentence in base64", base64("The quick brown fox jumps over the lazy dog 1984")],
  ["a hexadecimal key in base64", base64(randomBytes(32).toString("hex"))],
  ["a typed text", "TheSecretKeyOfOurFamilyWhichNobodyCanGuess1="],
  ["a repeated text", "gHt62kQ9zPmgHt62kQ9zPmgHt62kQ9zPmgHt62kQ9zPm"],
  ["a run of the keyboard", "qwertyuiopasdfghjklzxcvbnm1234567890QWERTYUI"],
  ["the alphabet backwards", "zyxwvutsrqponmlkjihgfedcbaZYXWVUTSRQPONMLKJI"],
  ["small words", "mygrandmotherlovedthegardenandtheseaverymuch"],
  ["words with capitals", "TheGrandchildrenAlwaysRememberTriesteGardens"],
  ["digits", "31415926535897932384626433832795028841971693"],
  ["a hash of half the length", "550e8400e29b41d4a716446655440000f81d4fae7dec"],
  ["text of another language in base64", base64("perché la nonna è così felice qui da noi oggi")],
  ["some random bytes before a text", base64(Buffer.concat([randomBytes(12), Buffer.from("skies root key 2026!")]))],
  ["random bytes that repeat", base64(Buffer.concat(Array(2).fill(randomBytes(16))))],
  ["random bytes, but a former one of zeros", `${random()},${base64(Buffer.alloc(32))}`],
])("production refuses a root key of %s", (_what, SECRET_KEY) => {
  expect(refusedNames({ ...production, SECRET_KEY })).toEqual(["SECRET_KEY"]);
});

test.each<[string, string]>([
  ["PUBLIC_URL", "http://memories.test"],
  ["PUBLIC_URL", "https://skies.example"],
  ["PUBLIC_URL", "https://www.example.org"],
  ["SMTP_URL", "smtps://user:password@mail.skies.example"],
  ["SMTP_URL", "smtps://user:changeme@mail.skies.test"],
  ["MAIL_FROM", "Skies <hello@skies.example>"],
  ["MAIL_INFO", "info@example.com"],
  ["STRIPE_SECRET_KEY", "sk_test_0123456789abcdefghijkl"],
  ["STRIPE_SECRET_KEY", "sk_live_placeholder"],
  ["STRIPE_PUBLISHABLE_KEY", "sk_live_51Hk3jd8Gk2lKd93kdKE83"],
  ["STRIPE_WEBHOOK_SECRET", "whsec_1"],
  ["TURNSTILE_SITE_KEY", "1x00000000000000000000AA"],
  ["TURNSTILE_SECRET_KEY", "2x0000000000000000000000000000000AA"],
  ["DATABASE_URL", "postgres://skies:placeholder@postgres:5432/skies"],
  ["DATABASE_URL", "postgres://user:password@host:5432/skies"],
  ["PUBLIC_URL", "https://your-domain.com"],
  ["SMTP_URL", "smtps://user:password@mail.skies.test"],
  ["SMTP_URL", "smtps://mail.skies.test:587"],
  ["SMTP_URL", "smtp://skies:hunter2@mail.skies.test:465"],
  ["SMTP_URL", "smtps://skies@mail.skies.test"],
  ["MAIL_FROM", "hello@skies"],
  ["MAIL_FROM", "you@yourdomain.com"],
  ["STRIPE_SECRET_KEY", "sk_live_xxxxxxxxxxxxxxxxxxxxxxxx"],
  ["STRIPE_SECRET_KEY", "sk_live_0000000000000000000000"],
  ["STRIPE_SECRET_KEY", "sk_live_<fill in the key here>"],
  ["STRIPE_SECRET_KEY", "sk_live_insert_key_here_please"],
  ["STRIPE_SECRET_KEY", "sk_live_1234567890abcdefghijkl"],
  ["STRIPE_SECRET_KEY", "sk_live_secretkeygoeshere"],
  ["STRIPE_SECRET_KEY", "sk_live_9fKd3LmQ9fKd3LmQ9fKd3LmQ"],
  ["STRIPE_WEBHOOK_SECRET", "whsec_your_webhook_secret_here"],
  ["SMTP_URL", "smtps://skies:<password>@mail.skies.test"],
  ["STRIPE_SECRET_KEY", "rk_test_0123456789abcdefghijkl"],
  ["STRIPE_SECRET_KEY", "$" + "{STRIPE_SECRET_KEY}"],
  ["STRIPE_WEBHOOK_SECRET", "pk_live_51Rk7jd1Gk5lPd42kdTE09"],
  ["STRIPE_BASE_URL", "http://stripe.skies.test"],
  ["TURNSTILE_BASE_URL", "http://check.skies.test"],
  ["TURNSTILE_SECRET_KEY", production.TURNSTILE_SITE_KEY],
  ["BACKUP_PASSPHRASE", "aaaaaaaaaaaaaaaa"],
  ["BACKUP_PASSPHRASE", "a placeholder of many words"],
  ["BACKUP_PASSPHRASE", "your passphrase comes here"],
  ["BACKUP_PASSPHRASE", "passphrase-1234"],
])("production refuses %s=%s, without repeating the value", (name, value) => {
  const environment = { ...production, [name]: value };
  expect(refusedNames(environment)).toEqual([name]);
  expect(() => readSettings(environment)).not.toThrow(value);
  // Without production, sandboxes and rehearsals may use such values.
  expect(refusedNames({ ...environment, NODE_ENV: "development" })).toEqual([]);
});

test.each<Record<string, string>>([
  {
    TWILIO_ACCOUNT_SID: "SK0123456789abcdef0123456789abcdef",
    TWILIO_AUTH_TOKEN: "your_auth_token",
    TWILIO_FROM: "+390212345678",
  },
  { GOOGLE_CLIENT_ID: "GOCSPX-0123456789abcdefghi", GOOGLE_CLIENT_SECRET: "1234-abc.apps.googleusercontent.com" },
  { S3_ACCESS_KEY_ID: "AKIAIOSFODNN7EXAMPLE", S3_SECRET_ACCESS_KEY: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" },
  {
    TURNSTILE_SITE_KEY: production.TURNSTILE_SECRET_KEY,
    TURNSTILE_SECRET_KEY: production.TURNSTILE_SITE_KEY,
  },
])("production refuses keys of third parties that are examples or exchanged: %j", (keys) => {
  const names = refusedNames({ ...production, S3_BUCKET: "files", S3_REGION: "eu-1", ...keys });
  const expected = Object.keys(keys).filter((name) => !["TWILIO_FROM", "TURNSTILE_SITE_KEY"].includes(name));
  expect(names).toEqual(expected);
});

test.each([
  ["https://skies.test:8443", "https://skies.test:8443"],
  ["https://skies.test:443//", "https://skies.test"],
  [" https://Skies.test ", "https://skies.test"],
  ["https://192.0.2.7", "https://192.0.2.7"],
  ["https://[2001:db8::1]", "https://[2001:db8::1]"],
  ["https://müller.test", "https://xn--mller-kva.test"],
  // Words of placeholders are allowed in names of sites.
  ["https://my-family.test", "https://my-family.test"],
  ["https://your-memories.test", "https://your-memories.test"],
])("the public address %s is that of browsers", (PUBLIC_URL, publicUrl) => {
  expect(readSettings({ ...production, PUBLIC_URL }).publicUrl).toBe(publicUrl);
});

test.each([
  "https://skies.test/family",
  "https://skies.test/?a=1",
  "https://skies.test/#top",
  "https://ada:hunter2@skies.test",
  "https://*.skies.test",
  "https://skies.test.",
  "skies.test",
])("%s is no public address, also outside of production", (PUBLIC_URL) => {
  expect(refusedNames({ PUBLIC_URL })).toEqual(["PUBLIC_URL"]);
});

test.each(["mail.skies.test", "smtps://", "smtps://skies:p%zz@mail.skies.test", "smtps://skies:p#ss@mail.skies.test"])(
  "%s is no mail server",
  (SMTP_URL) => {
    expect(refusedNames({ SMTP_URL })).toEqual(["SMTP_URL"]);
  },
);

test("each line of the list names a setting once, and says how to make a right value", () => {
  const wrong = Object.fromEntries(Object.keys(production).map((name) => [name, "?"]));
  const environment = { ...wrong, NODE_ENV: "production", PORT: "http", SECRET_KEY: "placeholder" };
  const names = refusedNames(environment);
  expect(names).toEqual([...new Set(names)]);
  expect(new Set(names)).toEqual(new Set([...Object.keys(production).filter((name) => name !== "NODE_ENV"), "PORT"]));
  expect(() => readSettings(environment)).toThrow(/^ {2}PORT: .+: docs\/settings\.md explains it$/m);
  expect(() => readSettings(environment)).toThrow(/^ {2}SECRET_KEY: .+`npm run admin -- secrets`/m);
});

test("a rehearsal of production on one machine needs no certificate", () => {
  expect(refusedNames({ ...production, PUBLIC_URL: "http://localhost:3000" })).toEqual([]);
  expect(refusedNames({ ...production, SMTP_URL: "smtp://127.0.0.1:2525" })).toEqual([]);
});

test("secrets can come from files, and a file that cannot be read is named", () => {
  const folder = mkdtempSync(join(tmpdir(), "skies-settings-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [key, empty] = [join(folder, "key"), join(folder, "empty")];
  const { SECRET_KEY, ...rest } = production;
  writeFileSync(key, `${SECRET_KEY}\n`);
  writeFileSync(empty, "\n");
  expect(readSettings({ ...rest, SECRET_KEY_FILE: key })).toMatchObject({ SECRET_KEY });
  expect(readEnvironment({ SECRET_KEY_FILE: key, HOST: "" })).toEqual({ SECRET_KEY });
  expect(refusedNames({ ...production, SECRET_KEY_FILE: key })).toEqual(["SECRET_KEY_FILE"]);
  for (const SECRET_KEY_FILE of [empty, join(folder, "absent"), folder])
    expect(refusedNames({ ...production, SECRET_KEY: "", SECRET_KEY_FILE })).toEqual(["SECRET_KEY_FILE"]);
  // What editors and panels add.
  for (const text of [`${SECRET_KEY}\r\n`, `\ufeff${SECRET_KEY} \n\n`]) {
    writeFileSync(key, text);
    expect(readSettings({ ...rest, SECRET_KEY_FILE: key })).toMatchObject({ SECRET_KEY });
  }
  // The spaces of a passphrase count.
  writeFileSync(key, " of several words \n");
  expect(readEnvironment({ BACKUP_PASSPHRASE_FILE: key })).toEqual({ BACKUP_PASSPHRASE: " of several words " });
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
  const environment = {
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Basic%20a=, x-scope = one",
    OTEL_TRACES_SAMPLER_ARG: "0.25",
    OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
    OTEL_SERVICE_NAME: "family",
  };
  expect(readSettings({ ...COLLECTOR, ...environment }).traces).toMatchObject({
    url: "http://collector:4318/v1/traces",
    headers: { authorization: "Basic a=", "x-scope": "one" },
    sampler: "traceidratio",
    isParentBased: true,
    ratio: 0.25,
    service: "family",
    trustsParent: false,
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
])("the server does not start with %j", (environment) => {
  expect(() => readSettings(environment)).toThrow(Object.keys(environment)[0]);
});

test.each(["S3_", "BACKUP_S3_"])("production refuses the key that every object store of a kind has: %s", (prefix) => {
  const store = { S3_BUCKET: "files", S3_REGION: "eu-1", BACKUP_S3_REGION: "eu-1" };
  const keys = { [`${prefix}ACCESS_KEY_ID`]: "minioadmin", [`${prefix}SECRET_ACCESS_KEY`]: "minioadmin" };
  expect(refusedNames({ ...production, ...store, ...keys })).toEqual([`${prefix}SECRET_ACCESS_KEY`]);
});

test.each([
  ["10.0.0.2", "10.0.0.2"],
  [" 10.0.0.0/8 , fd00::/64,", "10.0.0.0/8,fd00::/64"],
  ["172.16.0.0/255.240.0.0", "172.16.0.0/255.240.0.0"],
  ["loopback", "loopback"],
])("the proxies %s are trusted", (TRUST_PROXY, list) => {
  expect(readSettings({ TRUST_PROXY }).TRUST_PROXY).toBe(list);
});

test.each([
  "true",
  "1",
  "*",
  "proxy.internal",
  "10.0.0.1 10.0.0.2",
  "10.0.0.0/33",
  "10.0.0.0/255.0.255.0",
  "10.0.0.1:3000",
  ",",
  "0.0.0.0/0",
  "0.0.0.0/0.0.0.0",
  "127.0.0.1, ::/0",
  "::/1",
])("%s names no proxy, or everybody", (TRUST_PROXY) => {
  expect(refusedNames({ TRUST_PROXY })).toEqual(["TRUST_PROXY"]);
});

test("random keys of third parties are accepted", () => {
  for (let round = 0; round < 500; round++) {
    const random = randomBytes(75).toString("base64").replaceAll(/[+/]/g, "");
    const keys = { STRIPE_SECRET_KEY: `sk_live_${random}`, STRIPE_WEBHOOK_SECRET: `whsec_${random}` };
    expect(refusedNames({ ...production, ...keys }), random).toEqual([]);
  }
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
