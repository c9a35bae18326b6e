import { keysIn } from "./secrets.ts";

/** A problem with a setting: its name, and a sentence that says what is wrong and how to get a right value. */
export interface SettingProblem {
  name: string;
  message: string;
}

/** A rule for the value of a setting in production. */
interface Rule {
  /** How an operator gets a right value. */
  how: string;
  /** What is wrong with a value; undefined if nothing is. */
  problem: (value: string) => string | undefined;
}

/** Domains that nobody can own (RFC 2606), so that mail and links to them reach nobody. */
const RESERVED_DOMAIN = /(?:^|\.)(?:example|invalid|localhost)$|(?:^|\.)example\.(?:com|net|org)$/i;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
/** Words that stand where a value is still to be filled in. */
const PLACEHOLDER =
  /placeholder|change[-_ ]?(?:me|this|it)|replace[-_ ]?(?:me|this|it)|your[-_](?:key|secret|password)/i;

const SECRETS_COMMAND = "`npm run admin -- secrets` prints one";
const STRIPE_KEYS = "copy it from Stripe's dashboard, Developers, API keys, with test mode off";
const TURNSTILE_KEYS = "copy it from Cloudflare's dashboard, Turnstile, the site's settings";

const startsWith =
  (...prefixes: string[]) =>
  (value: string) =>
    prefixes.some((prefix) => value.startsWith(prefix) && value.length >= prefix.length + 16)
      ? undefined
      : `must begin with ${prefixes.join(" or ")} and be as long as the provider's own`;

const domainOf = (address: string) => address.replace(/^.*[@/]|[>\s]+$/g, "");
const realMailbox: Rule = {
  how: "use a mailbox of a domain that you own",
  problem: (value) => (RESERVED_DOMAIN.test(domainOf(value)) ? "is an address of a reserved domain" : undefined),
};
const liveStripeKey = (...prefixes: string[]): Rule => ({ how: STRIPE_KEYS, problem: startsWith(...prefixes) });
/** Cloudflare's documented test keys, which accept or refuse everybody, begin with 1x, 2x and 3x. */
const realTurnstileKey: Rule = { how: TURNSTILE_KEYS, problem: startsWith("0x") };

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
  TURNSTILE_SECRET_KEY: realTurnstileKey,
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
    const rule = REQUIRED[name];
    const problem = value === undefined ? rule && "is required in production" : valueProblem(value, rule);
    return problem ? [{ name, message: rule ? `${problem}: ${rule.how}` : problem }] : [];
  });
}

function valueProblem(value: string, rule: Rule | undefined): string | undefined {
  if (PLACEHOLDER.test(value))
    return rule ? "is still a placeholder" : "is still a placeholder: fill in a value of your own";
  return rule?.problem(value);
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
  return RESERVED_DOMAIN.test(url.hostname) ? "is a host of a reserved domain" : undefined;
}

/** The least number of different bytes in a root key. Of 32 random bytes, fewer differ once in seven billion keys. */
const DIFFERENT_BYTES = 20;
/** The length of text that must not occur twice. In a random key of 44 characters it does once in three billion keys. */
const REPEATED_LENGTH = 8;
const TYPED_WORD = /secret|password|example|family|memori/i;

/** Whether a base64 root key was typed or repeated rather than generated at random. */
function rootKeyProblem(value: string): string | undefined {
  return keysIn(value).map(problemOfKey).find(Boolean);
}

function problemOfKey(value: string): string | undefined {
  const bytes = Buffer.from(value, "base64");
  // Its format and length have messages of their own.
  if (bytes.length < 32) return undefined;
  const steps = bytes.map((byte, at) => byte - (bytes[at - 1] ?? 0));
  const isGuessable =
    bytes.every((byte) => byte < 128) ||
    new Set(bytes).size < DIFFERENT_BYTES ||
    new Set(steps).size < DIFFERENT_BYTES ||
    TYPED_WORD.test(value) ||
    hasRepeatedPart(value.toLowerCase());
  return isGuessable ? "can be guessed, because it is not random" : undefined;
}

function hasRepeatedPart(text: string): boolean {
  const parts = Array.from({ length: Math.max(0, text.length - REPEATED_LENGTH + 1) }, (_, at) =>
    text.slice(at, at + REPEATED_LENGTH),
  );
  return new Set(parts).size < parts.length;
}
