/** A third party that receives visits, after consent. */
export interface Collector {
  vendor: "ga4" | "plausible" | "meta" | "tiktok";
  /** What the vendor calls this site. */
  id: string;
  /** Where its events go: an address, or a path here. */
  url: string;
}

/** The public settings of this deployment, as GET /config.json gives them. */
export interface Config {
  supabaseUrl: string;
  supabaseAnonKey: string;
  stripePublishableKey: string;
  turnstileSiteKey: string;
  /** Address of the bot check's widget; the vendor's by default. */
  turnstileScriptUrl?: string;
  /** The product's own address, to which the contact form writes. */
  infoEmail: string;
  /** Names of the companies that process personal data for this deployment. */
  processors: string[];
  collectors?: Collector[];
}

export type ConfigProblem = "supabaseUrl" | "supabaseAnonKey" | "stripePublishableKey" | "turnstileSiteKey";

/** The settings that are missing or invalid, in the order of Spec §5. Plain http counts only for this machine itself. */
export function configProblems(given: unknown): ConfigProblem[] {
  const settings = typeof given === "object" && given !== null ? (given as Record<string, unknown>) : {};
  const text = (name: keyof Config) => (typeof settings[name] === "string" ? settings[name] : "");
  const problems: ConfigProblem[] = [];
  if (!/^(https:\/\/.|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?=[:/]|$))/.test(text("supabaseUrl")))
    problems.push("supabaseUrl");
  if (text("supabaseAnonKey").length < 10) problems.push("supabaseAnonKey");
  if (!text("stripePublishableKey")) problems.push("stripePublishableKey");
  if (!text("turnstileSiteKey")) problems.push("turnstileSiteKey");
  return problems;
}

/** The settings do not let the app start; `problems` names each. */
export class ConfigError extends Error {
  constructor(readonly problems: ConfigProblem[]) {
    super(`Missing or invalid settings: ${problems.join(", ")}`);
  }
}

let current: Config | undefined;

/** Reads and checks /config.json once at start-up; throws ConfigError, or an Error when it cannot be had at all. */
export async function loadConfig(fetch = globalThis.fetch): Promise<Config> {
  const reply = await fetch("/config.json");
  if (!reply.ok) throw new Error(`/config.json: ${reply.status}`);
  const given: unknown = await reply.json();
  const problems = configProblems(given);
  if (problems.length > 0) throw new ConfigError(problems);
  current = given as Config;
  return current;
}

/** Sets the settings, for code without a server. */
export function setConfig(given: Config) {
  current = given;
}

/** The checked settings; only code that runs after start-up may ask. */
export function config(): Config {
  if (!current) throw new Error("The settings are read before they are loaded");
  return current;
}

/** Where the site is reached; also for a page that is rendered on the server. */
export const siteOrigin = (): string => (typeof location === "undefined" ? config().supabaseUrl : location.origin);
