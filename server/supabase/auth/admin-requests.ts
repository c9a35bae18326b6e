import { z } from "zod";
import { RequestError } from "../../../shared/request-error.ts";
import { invalid, metadata, optionalText } from "./bodies.ts";
import { checkEmail, checkLogin, checkPhone, readLogin } from "./logins.ts";

const User = z.object({
  id: z.guid().nullish(),
  email: optionalText,
  phone: optionalText,
  password: optionalText,
  email_confirm: z.boolean().nullish(),
  phone_confirm: z.boolean().nullish(),
  user_metadata: metadata,
  app_metadata: metadata,
  ban_duration: optionalText,
});

export const AdminUserBody = User.nullish();

/** Reads the account fields that the service may set. */
export function readAdminUser(body: z.output<typeof AdminUserBody>) {
  const user: z.output<typeof User> = body ?? {};
  return {
    id: user.id ?? undefined,
    email: user.email ? checkEmail(user.email) : undefined,
    phone: user.phone ? checkPhone(user.phone) : undefined,
    password: user.password || undefined,
    confirmEmail: user.email_confirm ?? false,
    confirmPhone: user.phone_confirm ?? false,
    userMetadata: user.user_metadata ?? {},
    appMetadata: user.app_metadata ?? {},
    banSeconds: user.ban_duration ? readDuration(user.ban_duration) : undefined,
  };
}
export type AdminUser = ReturnType<typeof readAdminUser>;

export const UserParams = z.object({ id: z.guid() });

export const DeleteBody = z.object({ should_soft_delete: z.boolean().nullish() }).nullish();

/** Refuses soft deletion: deleting an account is final. */
export function refuseSoftDelete(body: z.output<typeof DeleteBody>) {
  if (!body?.should_soft_delete) return;
  const message = "This server does not offer soft deletion: deleting an account is final.";
  throw new RequestError("not_supported", { message, status: 422 });
}

const count = (most: number, otherwise: number) =>
  z.preprocess((value) => value || undefined, z.coerce.number().int().min(1).max(most).default(otherwise));
/** The page number and the page size. The client sends empty strings for missing values. */
export const PageQuery = z.object({ page: count(1_000_000, 1), per_page: count(1000, 50) });

/** Loose, because the request also contains the link's final redirect. */
export const LinkBody = z.looseObject({
  type: z.enum(["signup", "invite", "magiclink", "recovery"], {
    error: ({ input }) => {
      if (input !== "email_change_current" && input !== "email_change_new") return undefined;
      throw new RequestError("not_supported", { message: "This server does not offer links that change an address." });
    },
  }),
  email: optionalText,
  password: optionalText,
  data: metadata,
});

/** The field `type` may be missing for an invitation. */
export const InviteBody = LinkBody.extend({ type: LinkBody.shape.type.default("invite") });

export function readLinkWish({ type, email, password, data }: z.output<typeof LinkBody>) {
  const login = checkLogin(readLogin({ email }, "An email address is required"));
  return { type, login, password: password || undefined, data: data ?? {} };
}

const UNITS: Record<string, number> = { h: 3600, m: 60, s: 1 };

/** Parses a duration such as `1h30m` into seconds. Returns 0 for "none". */
function readDuration(text: string): number {
  if (text === "none") return 0;
  if (!/^(\d{1,9}[hms])+$/.test(text)) throw invalid("ban_duration: invalid format");
  return [...text.matchAll(/(\d+)([hms])/g)].reduce(
    (sum, [, amount, unit = "s"]) => sum + Number(amount) * (UNITS[unit] ?? 0),
    0,
  );
}
