import { randomInt } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { newestTo } from "./mailbox.ts";
import type { Person } from "./people.ts";
import type { TestServer } from "./server.ts";

/** An authenticator app's code now, or `steps` of 30 seconds later. */
export const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

/** A code that is not valid at any time near now. */
export function wrongCodeOf(secret: string): string {
  const near = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps));
  for (;;) {
    const code = String(randomInt(1_000_000)).padStart(6, "0");
    if (!near.includes(code)) return code;
  }
}

/** An authenticator app with its secret. */
export interface App {
  id: string;
  secret: string;
}

/** Adds an app to a person's account, not yet verified. */
export async function enrolApp({ client }: Pick<Person, "client">, friendlyName = "telephone"): Promise<App> {
  const { data, error } = await client.auth.mfa.enroll({ factorType: "totp", friendlyName });
  if (error) throw error;
  return { id: data.id, secret: data.totp.secret };
}

/** Adds and verifies an app for a person's account, whose session then has aal2. */
export async function protect(server: Pick<TestServer, "db">, person: Person, friendlyName?: string): Promise<App> {
  const app = await enrolApp(person, friendlyName);
  const { data, error } = await person.client.auth.mfa.challengeAndVerify({
    factorId: app.id,
    code: codeOf(app.secret),
  });
  if (error) throw error;
  person.token = data.access_token;
  await forgetCodes(server, app);
  return app;
}

/** Marks the used codes as old, so that a test need not wait for the next one. */
export const forgetCodes = ({ db }: Pick<TestServer, "db">, { id }: Pick<App, "id">) =>
  db.query("update auth.mfa_factors set last_step = null where id = $1", [id]);

/** Adds a phone to a person's account and verifies it by the texted code. */
export async function protectByPhone(server: Pick<TestServer, "db">, person: Person, phone: string): Promise<string> {
  const { data: factor, error } = await person.client.auth.mfa.enroll({ factorType: "phone", phone });
  if (error) throw error;
  const { data: challenge, error: refused } = await person.client.auth.mfa.challenge({ factorId: factor.id });
  if (refused) throw refused;
  const { code } = await newestTo(server, `+${phone}`);
  const verified = await person.client.auth.mfa.verify({ factorId: factor.id, challengeId: challenge.id, code });
  if (verified.error) throw verified.error;
  person.token = verified.data.access_token;
  return factor.id;
}
