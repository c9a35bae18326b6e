/** A third party that receives analytics events, after consent. */
export interface Collector {
  vendor: "ga4" | "plausible" | "meta" | "tiktok";
  /** The vendor's id of this site. */
  id: string;
  /** The URL to which events are sent: absolute, or a path of this site. */
  url: string;
}

/** The public settings of this deployment, from GET /config.json. */
export interface Config {
  supabaseUrl: string;
  supabaseAnonKey: string;
  stripePublishableKey: string;
  turnstileSiteKey: string;
  /** The URL of the bot check's script; the vendor's by default. */
  turnstileScriptUrl?: string;
  /** The installation's public key for notifications on devices (VAPID), in base64url. */
  pushKey?: string;
  /** The product's email address, for the contact form. */
  infoEmail: string;
  /** Names of the companies that process personal data for this deployment. */
  processors: string[];
  collectors?: Collector[];
}

export type ConfigProblem = "supabaseUrl" | "supabaseAnonKey" | "stripePublishableKey" | "turnstileSiteKey";

/** Returns the missing or invalid settings, in the order of Spec §5. Plain http is allowed only for localhost. */
export function configProblems(source: unknown): ConfigProblem[] {
  const settings = typeof source === "object" && source !== null ? (source as Record<string, unknown>) : {};
  const text = (name: keyof Config) => (typeof settings[name] === "string" ? settings[name] : "");
  const problems: ConfigProblem[] = [];
  if (!/^(https:\/\/.|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?=[:/]|$))/.test(text("supabaseUrl")))
    problems.push("supabaseUrl");
  if (text("supabaseAnonKey").length < 10) problems.push("supabaseAnonKey");
  if (!text("stripePublishableKey")) problems.push("stripePublishableKey");
  if (!text("turnstileSiteKey")) problems.push("turnstileSiteKey");
  return problems;
}

/** The settings are invalid; `problems` names each. */
export class ConfigError extends Error {
  constructor(readonly problems: ConfigProblem[]) {
    super(`Missing or invalid settings: ${problems.join(", ")}`);
  }
}

let current: Config | undefined;

/** Loads and validates /config.json at start-up; throws ConfigError, or an Error if it cannot be loaded. */
export async function loadConfig(fetch = globalThis.fetch): Promise<Config> {
  const reply = await fetch("/config.json");
  if (!reply.ok) throw new Error(`/config.json: ${reply.status}`);
  const settings: unknown = await reply.json();
  const problems = configProblems(settings);
  if (problems.length > 0) throw new ConfigError(problems);
  current = settings as Config;
  return current;
}

export function setConfig(settings: Config) {
  current = settings;
}

/** The settings, available after start-up. */
export function config(): Config {
  if (!current) throw new Error("The settings are read before they are loaded");
  return current;
}

/** The site's origin; also on the server. */
export const siteOrigin = (): string => (typeof location === "undefined" ? config().supabaseUrl : location.origin);
