import type { FastifyInstance, FastifyRequest } from "fastify";
import { RequestError } from "../../../shared/request-error.ts";
import { generateLink, invite } from "./admin-links.ts";
import { readAdminUser, readLinkWish, readPage, readUserId, refuseSoftDelete } from "./admin-requests.ts";
import { createAccount, deleteAccount, listAccounts, requireAccount, updateAccount } from "./admin-users.ts";
import type { AuthContext } from "./context.ts";
import { readFactorId } from "./factors/requests.ts";
import { removeFactor } from "./factors/unenrol.ts";
import { deviceOf } from "./grant.ts";
import { readMessageRequest } from "./message-request.ts";
import { factorJson, userJson } from "./user-json.ts";

/** What only the service may do, by its secret key. */
export function adminRoutes(app: FastifyInstance, auth: AuthContext) {
  const { db, identify, tokens } = auth;

  const onlyService = async ({ headers }: FastifyRequest) => {
    if (headers.authorization === undefined) {
      throw new RequestError("no_authorization");
    }
    const { role } = await identify({ authorization: headers.authorization });
    if (role !== "service_role") throw new RequestError("not_admin");
  };

  app.get("/admin/users", { onRequest: onlyService }, async (request, reply) => {
    const { page, perPage } = readPage(request.query);
    const { accounts, total } = await listAccounts(auth, { page, perPage });
    const last = Math.max(1, Math.ceil(total / perPage));
    const at = (number: number, rel: string) => `</admin/users?page=${number}&per_page=${perPage}>; rel="${rel}"`;
    reply.header("x-total-count", total);
    reply.header("link", [...(page < last ? [at(page + 1, "next")] : []), at(last, "last")].join(", "));
    return { users: accounts.map(userJson), aud: "authenticated" };
  });

  app.post("/admin/users", { onRequest: onlyService }, async (request) =>
    userJson(await createAccount(auth, readAdminUser(request.body))),
  );

  app.get("/admin/users/:id", { onRequest: onlyService }, async (request) =>
    userJson(await requireAccount(db, readUserId(request.params))),
  );

  app.put("/admin/users/:id", { onRequest: onlyService }, async (request) =>
    userJson(await updateAccount(auth, readUserId(request.params), readAdminUser(request.body))),
  );

  app.delete("/admin/users/:id", { onRequest: onlyService }, async (request) => {
    refuseSoftDelete(request.body);
    await deleteAccount(db, readUserId(request.params));
    return {};
  });

  app.get("/admin/users/:id/factors", { onRequest: onlyService }, async (request) =>
    (await requireAccount(db, readUserId(request.params))).factors.map(factorJson),
  );

  app.delete("/admin/users/:id/factors/:factorId", { onRequest: onlyService }, async (request) => {
    const [userId, factorId] = [readUserId(request.params), readFactorId(request.params)];
    return factorJson(await removeFactor(auth, userId, factorId, deviceOf(request)));
  });

  app.post("/admin/generate_link", { onRequest: onlyService }, async (request) =>
    generateLink(auth, readLinkWish(request.body), readMessageRequest(auth, request)),
  );

  app.post("/admin/rotate_keys", { onRequest: onlyService }, async () => {
    await tokens.rotateKeys(0);
    return tokens.jwks();
  });

  app.post("/invite", { onRequest: onlyService }, async (request) =>
    invite(
      auth,
      readLinkWish({ type: "invite", ...(request.body as object | null) }),
      readMessageRequest(auth, request),
    ),
  );
}
