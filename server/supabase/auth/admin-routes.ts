import type { FastifyRequest } from "fastify";
import { RequestError } from "../../../shared/request-error.ts";
import type { Transaction } from "../../database/database.ts";
import type { Routes } from "../route-schemas.ts";
import { type Account, findAccount, isConfirmed, lockAccountOf } from "./account.ts";
import {
  AdminUserBody,
  DeleteBody,
  InviteBody,
  LinkBody,
  PageQuery,
  readAdminUser,
  readLinkWish,
  refuseSoftDelete,
  UserParams,
} from "./admin-requests.ts";
import { createAccount, deleteAccount, listAccounts, requireAccount, updateAccount } from "./admin-users.ts";
import { invalid } from "./bodies.ts";
import type { AuthContext } from "./context.ts";
import { linkUrl, type Purpose, sendSignIn, signInToken } from "./deliveries.ts";
import { FactorParams } from "./factors/requests.ts";
import { removeFactor } from "./factors/unenrol.ts";
import { deviceOf } from "./grant.ts";
import type { Login } from "./logins.ts";
import { type MessageRequest, readMessageRequest } from "./message-request.ts";
import { insertAccount } from "./new-account.ts";
import { factorJson, userJson } from "./user-json.ts";

/** Registers the routes of the administration API, which requires the secret key. */
export function adminRoutes(app: Routes, auth: AuthContext) {
  const { db, identify, tokens } = auth;

  const onlyService = async ({ headers }: FastifyRequest) => {
    const { authorization, apikey } = headers;
    // The secret may be the API key alone, as on the hosted platform. A token of a person must be a bearer.
    const { role } = await identify({ authorization, apikey: typeof apikey === "string" ? apikey : undefined });
    if (role === "service_role") return;
    throw new RequestError(authorization === undefined ? "no_authorization" : "not_admin");
  };

  app.get("/admin/users", { onRequest: onlyService, schema: { querystring: PageQuery } }, async (request, reply) => {
    const { page, per_page: perPage } = request.query;
    const { accounts, total } = await listAccounts(auth, { page, perPage });
    const last = Math.max(1, Math.ceil(total / perPage));
    const at = (number: number, rel: string) => `</admin/users?page=${number}&per_page=${perPage}>; rel="${rel}"`;
    reply.header("x-total-count", total);
    reply.header("link", [...(page < last ? [at(page + 1, "next")] : []), at(last, "last")].join(", "));
    return { users: accounts.map(userJson), aud: "authenticated" };
  });

  app.post("/admin/users", { onRequest: onlyService, schema: { body: AdminUserBody } }, async (request) =>
    userJson(await createAccount(auth, readAdminUser(request.body))),
  );

  app.get("/admin/users/:id", { onRequest: onlyService, schema: { params: UserParams } }, async (request) =>
    userJson(await requireAccount(db, request.params.id)),
  );

  app.put(
    "/admin/users/:id",
    { onRequest: onlyService, schema: { params: UserParams, body: AdminUserBody } },
    async (request) => userJson(await updateAccount(auth, request.params.id, readAdminUser(request.body))),
  );

  app.delete(
    "/admin/users/:id",
    { onRequest: onlyService, schema: { params: UserParams, body: DeleteBody } },
    async (request) => {
      refuseSoftDelete(request.body);
      await deleteAccount(db, request.params.id);
      return {};
    },
  );

  app.get("/admin/users/:id/factors", { onRequest: onlyService, schema: { params: UserParams } }, async (request) =>
    (await requireAccount(db, request.params.id)).factors.map(factorJson),
  );

  const params = UserParams.extend(FactorParams.shape);
  app.delete("/admin/users/:id/factors/:factorId", { onRequest: onlyService, schema: { params } }, async (request) => {
    const { id, factorId } = request.params;
    return factorJson(await removeFactor(auth, id, factorId, deviceOf(request)));
  });

  app.post("/admin/generate_link", { onRequest: onlyService, schema: { body: LinkBody } }, async (request) =>
    generateLink(auth, readLinkWish(request.body), readMessageRequest(auth, request)),
  );

  app.post("/admin/rotate_keys", { onRequest: onlyService }, async () => {
    await tokens.rotateKeys(0);
    return tokens.jwks();
  });

  app.post("/invite", { onRequest: onlyService, schema: { body: InviteBody } }, async (request) =>
    invite(auth, readLinkWish(request.body), readMessageRequest(auth, request)),
  );
}

interface LinkRequest {
  type: Purpose;
  login: Login;
  password?: string;
  data: Record<string, unknown>;
}

/** Creates a link that the calling service sends itself. */
async function generateLink(auth: AuthContext, link: LinkRequest, message: MessageRequest) {
  if (link.type === "signup" && !link.password) throw invalid("Signup requires a valid password");
  const passwordHash = link.password ? await auth.passwords.hash(link.password) : null;
  return auth.db.transaction(async (tx) => {
    const { account, purpose } = await accountFor(tx, link, passwordHash);
    const token = await signInToken(auth, tx, account, purpose, { challenge: undefined });
    return {
      ...userJson((await findAccount(tx, account.id)) ?? account),
      action_link: linkUrl(auth, token, purpose, message.redirectTo),
      email_otp: token.code,
      hashed_token: token.link,
      redirect_to: message.redirectTo,
      verification_type: purpose,
    };
  });
}

/** Creates an account and emails its owner a sign-in link. */
async function invite(auth: AuthContext, invitation: Omit<LinkRequest, "type">, message: MessageRequest) {
  return auth.db.transaction(async (tx) => {
    const { account } = await accountFor(tx, { ...invitation, type: "invite" }, null);
    await sendSignIn(auth, tx, account, "invite", message);
    return userJson((await findAccount(tx, account.id)) ?? account);
  });
}

/** Resolves to the account for a link. Creates it if there is none, except for a recovery link. */
async function accountFor(
  tx: Transaction,
  { type, login, data }: LinkRequest,
  passwordHash: string | null,
): Promise<{ account: Account; purpose: Purpose }> {
  const existingAccount = await lockAccountOf(tx, login);
  if (type === "recovery" && !existingAccount)
    throw new RequestError("user_not_found", { message: "User with this email not found" });
  if (existingAccount && (type === "signup" || type === "invite") && isConfirmed(existingAccount, login)) {
    throw new RequestError("email_exists");
  }
  const account = existingAccount ?? (await insertAccount(tx, { login, passwordHash, data, confirmed: false }));
  if (!account) throw new RequestError("conflict");
  if (type === "invite") await tx.query("update auth.users set invited_at = now() where id = $1", [account.id]);
  return { account, purpose: existingAccount || type !== "magiclink" ? type : "signup" };
}
