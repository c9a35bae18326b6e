import { rootKeyProblem } from "./root-key.ts";

/** A problem with a setting: its name, and a sentence that says what is wrong and how to get a right value. */
export interface SettingProblem {
  name: string;
  message: string;
}

type Values = Readonly<Record<string, string | undefined>>;

/** A rule for the value of a setting in production. */
interface Rule {
  /** How an operator gets a right value. */
  how: string;
  /** What is wrong with a value; undefined if nothing is. `others` are all settings. */
  problem: (value: string, others: Values) => string | undefined;
}

/** Domains that nobody can own (RFC 2606) or that stand for one, so that mail and links to them reach nobody. */
const RESERVED_DOMAIN =
  /(?:^|\.)(?:example|invalid|localhost|tld)$|(?:^|\.)(?:example|your-?(?:domain|site|company))\.\w+$/i;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
/** Words and signs that stand where a value is still to be filled in. Vendors' examples of S3 keys end with EXAMPLE. */
const PLACEHOLDER =
  /placeholder|(?:change|replace)[-_ ]?(?:me|this|it)|your[-_ ](?:secret|key|pass(?:word|phrase)|token|client|account|auth|api|domain|stripe|site)|<[a-z][^<>@]*>|insert[-_]|fill[-_]in|(?:^|[^a-z0-9])(?:todo|fixme|dummy)|x{6,}|\*{3,}|\.{3}|\$\{/i;
const EXAMPLE_KEY = /EXAMPLE(?:KEY)?$/;
/** Passwords in addresses of documentation. */
const EXAMPLE_PASSWORD = /^(?:pass|passwd|password|pw|secret)$/i;
/** The least number of different characters in a key or passphrase. */
const DIFFERENT_CHARACTERS = 6;
/** Words that stand for a key. A random key of a hundred characters has one of them once in ten million. */
const WORD_FOR_KEY = /secret|stripe|webhook|publishable|turnstile|sitekey|goeshere|[-_](?:key|here)\b/i;
/** The length of characters that follow each other, or of a part that occurs twice. Random keys of a hundred have no such part. */
const PART_LENGTH = 8;
/** Secret keys that object stores have before anybody sets one. */
const STORES_OWN_SECRET = /^(?:minioadmin|minio123|admin|root|test|skies|s3secret|accesskey|secretkey)$/i;

const SECRETS_COMMAND = "`npm run admin -- secrets` prints one";
const STRIPE_KEYS = "copy it from Stripe's dashboard, Developers, API keys, with test mode off";
const TURNSTILE_KEYS = "copy it from Cloudflare's dashboard, Turnstile, the site's settings";

/** A key of a third party: its prefix, and at least 16 letters, digits and signs, several of them different. */
const startsWith =
  (...prefixes: string[]) =>
  (value: string) => {
    const rest = prefixes.flatMap((prefix) => (value.startsWith(prefix) ? value.slice(prefix.length) : []))[0];
    if (rest === undefined || !/^[\w+/=-]{16,}$/.test(rest))
      return `must begin with ${prefixes.join(" or ")} and be as long as the provider's own`;
    return isVaried(rest) && !isTypedKey(rest) ? undefined : "is still a placeholder";
  };

const isVaried = (text: string) => new Set(text).size >= DIFFERENT_CHARACTERS;

/** Whether a key has a word for it, a part twice, or characters in the order of the alphabet or of numbers. */
function isTypedKey(key: string): boolean {
  const parts = Array.from({ length: Math.max(0, key.length - PART_LENGTH + 1) }, (_, at) =>
    key.slice(at, at + PART_LENGTH),
  );
  const isInOrder = (part: string) =>
    [...part].every((_, at) => at === 0 || part.charCodeAt(at) === part.charCodeAt(at - 1) + 1);
  // Turnstile's keys begin with many A.
  const isSame = (part: string) => new Set(part).size === 1;
  return (
    WORD_FOR_KEY.test(key) ||
    parts.some(isInOrder) ||
    parts.some((part, at) => !isSame(part) && parts.indexOf(part) < at)
  );
}

const domainOf = (address: string) => address.replace(/^.*[@/]|[>\s]+$/g, "");
const realMailbox: Rule = {
  how: "use a mailbox of a domain that you own",
  problem: (value) => {
    const domain = domainOf(value);
    if (RESERVED_DOMAIN.test(domain)) return "is an address of a reserved domain";
    return /^[^.]+(?:\.[^.]+)+$/.test(domain) ? undefined : "is an address without a whole domain";
  },
};
const liveStripeKey = (...prefixes: string[]): Rule => ({ how: STRIPE_KEYS, problem: startsWith(...prefixes) });
/** Cloudflare's documented test keys, which accept or refuse everybody, begin with 1x, 2x and 3x. */
const realTurnstileKey: Rule = { how: TURNSTILE_KEYS, problem: startsWith("0x") };
/** The secret key is the longer one, so two keys in each other's place are noticed. */
const turnstileSecret: Rule = {
  how: TURNSTILE_KEYS,
  problem: (value, { TURNSTILE_SITE_KEY = "" }) =>
    realTurnstileKey.problem(value, {}) ??
    (value.length > TURNSTILE_SITE_KEY.length ? undefined : "is no longer than the site key, so it is not the secret"),
};
/** The address of a third party. Another one than its own, e.g. of a sandbox, is only for rehearsals on one machine. */
const vendorAddress: Rule = {
  how: "leave it out, then the provider's own address is used",
  problem: (value) => {
    const url = URL.canParse(value) ? new URL(value) : undefined;
    return !url || url.protocol === "https:" || LOOPBACK.has(url.hostname) ? undefined : "must begin with https://";
  },
};
const objectStoreSecret: Rule = {
  how: "copy both keys from the object store",
  problem: (value) => {
    if (/^A[KS]IA[A-Z0-9]{16}$/.test(value)) return "is the id of a key, so the two are in each other's place";
    return STORES_OWN_SECRET.test(value) ? "is what everybody knows of such a store" : undefined;
  },
};
const TWILIO_KEYS = "copy it from Twilio's console, Account, API keys & tokens, of the live account";
/** Vendors' own formats. Another vendor's address, as of a sandbox, may have others. */
const ofVendor = (address: string, pattern: RegExp, problem: string) => (value: string, others: Values) =>
  others[address] || pattern.test(value) ? undefined : problem;

/** The settings that production requires, each with its rule. */
const REQUIRED: Record<string, Rule> = {
  PUBLIC_URL: { how: "use the https address at which people open the site", problem: publicUrlProblem },
  SECRET_KEY: { how: SECRETS_COMMAND, problem: rootKeyProblem },
  SMTP_URL: { how: "use smtps://user:password@host, as the mail provider gives it", problem: mailServerProblem },
  MAIL_FROM: realMailbox,
  MAIL_INFO: realMailbox,
  MAIL_WELCOME_BCC: realMailbox,
  STRIPE_SECRET_KEY: liveStripeKey("sk_live_", "rk_live_"),
  STRIPE_WEBHOOK_SECRET: {
    how: "copy the signing secret from Stripe's dashboard, Developers, Webhooks, the endpoint of this site",
    problem: startsWith("whsec_"),
  },
  STRIPE_PUBLISHABLE_KEY: liveStripeKey("pk_live_"),
  TURNSTILE_SITE_KEY: realTurnstileKey,
  TURNSTILE_SECRET_KEY: turnstileSecret,
};

/** The same for settings that may be missing. */
const OPTIONAL: Record<string, Rule> = {
  TWILIO_ACCOUNT_SID: {
    how: TWILIO_KEYS,
    problem: ofVendor("TWILIO_BASE_URL", /^AC[0-9a-f]{32}$/, "must be AC and 32 hexadecimal digits"),
  },
  TWILIO_AUTH_TOKEN: {
    how: TWILIO_KEYS,
    problem: ofVendor("TWILIO_BASE_URL", /^[0-9a-f]{32}$/, "must be 32 hexadecimal digits"),
  },
  GOOGLE_CLIENT_ID: {
    how: "copy it from Google's console, APIs & Services, Credentials",
    problem: ofVendor(
      "GOOGLE_ISSUER",
      /^[\w-]+\.apps\.googleusercontent\.com\b/,
      "must end with .apps.googleusercontent.com",
    ),
  },
  GOOGLE_CLIENT_SECRET: {
    how: "copy it from Google's console, APIs & Services, Credentials",
    problem: (value) => (value.endsWith(".googleusercontent.com") ? "is a client id" : undefined),
  },
  STRIPE_BASE_URL: vendorAddress,
  TURNSTILE_BASE_URL: vendorAddress,
  TURNSTILE_SCRIPT_URL: vendorAddress,
  TWILIO_BASE_URL: vendorAddress,
  S3_SECRET_ACCESS_KEY: objectStoreSecret,
  BACKUP_S3_SECRET_ACCESS_KEY: objectStoreSecret,
  BACKUP_PASSPHRASE: {
    how: "use several words, or what `npm run admin -- secrets` prints",
    problem: (value) => {
      if (!isVaried(value)) return "can be guessed, because it has few different characters";
      return /^pass(?:word|phrase)[\W\d]*$/i.test(value) ? "is still a placeholder" : undefined;
    },
  },
};

/**
 * What makes a start in production unsafe: a missing credential, a placeholder, a key that somebody could guess, and a
 * third party's key of another kind or of its test mode. `environment` has the settings as text; `names` are all
 * settings. A problem never contains a value, because it is logged.
 */
export function productionProblems(
  environment: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): SettingProblem[] {
  return names.flatMap((name) => {
    const value = environment[name];
    const rule = REQUIRED[name] ?? OPTIONAL[name];
    const problem =
      value === undefined
        ? REQUIRED[name] && "is required in production"
        : (placeholderProblem(value) ?? rule?.problem(value, environment));
    return problem ? [{ name, message: `${problem}: ${howTo(name)}` }] : [];
  });
}

/** How an operator gets a right value of a setting. */
export const howTo = (name: string): string =>
  (REQUIRED[name] ?? OPTIONAL[name])?.how ?? "docs/settings.md explains it";

function placeholderProblem(value: string): string | undefined {
  const password = URL.canParse(value) ? new URL(value).password : "";
  const isPlaceholder = PLACEHOLDER.test(value) || EXAMPLE_KEY.test(value) || EXAMPLE_PASSWORD.test(password);
  return isPlaceholder ? "is still a placeholder" : undefined;
}

function publicUrlProblem(value: string): string | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  // Its format has a message of its own. A rehearsal on one machine needs no certificate.
  if (!url || LOOPBACK.has(url.hostname)) return undefined;
  if (url.protocol !== "https:") return "must begin with https://, otherwise sessions travel in clear text";
  return RESERVED_DOMAIN.test(url.hostname) ? "is an address of a reserved domain" : undefined;
}

function mailServerProblem(value: string): string | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || LOOPBACK.has(url.hostname)) return undefined;
  if (RESERVED_DOMAIN.test(url.hostname)) return "is a host of a reserved domain";
  if (Boolean(url.username) !== Boolean(url.password)) return "has a user without a password, or the reverse";
  // With the other protocol, either side waits until the connection times out.
  if (url.protocol === "smtp:" && url.port === "465") return "must begin with smtps:// for port 465";
  if (url.protocol === "smtps:" && ["25", "587"].includes(url.port))
    return `must begin with smtp:// for port ${url.port}`;
  return undefined;
}
