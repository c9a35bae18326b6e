import { z } from "zod";

const Environment = z
  .object({
    NODE_ENV: z.enum(["development", "test", "production"]).default("development"),
    PORT: z.coerce.number().int().min(0).max(65535).default(3000),
    HOST: z.string().min(1).default("127.0.0.1"),
    PUBLIC_URL: z
      .url({ protocol: /^https?$/ })
      .transform((url) => url.replace(/\/+$/, ""))
      .optional(),
    DATA_DIR: z.string().min(1).default("./data"),
    DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    SECRET_KEY: z
      .base64()
      .refine((key) => Buffer.from(key, "base64").length >= 32, "needs at least 32 bytes")
      .optional(),
    /** How many sign-ups, and how many sign-ins, one address may try in five minutes. */
    SIGN_IN_LIMIT: z.coerce.number().int().min(1).default(30),
    TRUST_PROXY: z.string().optional(),
    STRIPE_PUBLISHABLE_KEY: z.string().min(1).optional(),
    TURNSTILE_SITE_KEY: z.string().min(1).optional(),
    LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  })
  .superRefine((settings, context) => {
    if (settings.NODE_ENV !== "production") return;
    // In production a missing credential stops the start; a sandbox never stands in for it silently.
    for (const name of ["PUBLIC_URL", "SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "TURNSTILE_SITE_KEY"] as const) {
      if (!settings[name]) context.addIssue({ code: "custom", path: [name], message: "is required in production" });
    }
  });

export type Settings = ReturnType<typeof readSettings>;

/** The settings of this process, or one error that names every missing or wrong one. */
export function readSettings(environment: Record<string, string | undefined>) {
  // An empty variable means an unset one: `PORT= npm start` should not be an error about a number.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = Environment.safeParse(given);
  if (parsed.success) {
    const settings = parsed.data;
    return { ...settings, publicUrl: settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}` };
  }
  const lines = parsed.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
  throw new Error(`These settings are missing or wrong:\n${lines.join("\n")}`);
}
