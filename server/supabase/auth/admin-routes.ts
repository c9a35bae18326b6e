import type { FastifyRequest } from "fastify";
import { RequestError } from "../../../shared/request-error.ts";
import type { Routes } from "../route-schemas.ts";
import { generateLink, invite } from "./admin-links.ts";
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
import type { AuthContext } from "./context.ts";
import { FactorParams } from "./factors/requests.ts";
import { removeFactor } from "./factors/unenrol.ts";
import { deviceOf } from "./grant.ts";
import { readMessageRequest } from "./message-request.ts";
import { factorJson, userJson } from "./user-json.ts";

/** What only the service may do, by its secret key. */
export function adminRoutes(app: Routes, auth: AuthContext) {
  const { db, identify, tokens } = auth;

  const onlyService = async ({ headers }: FastifyRequest) => {
    if (headers.authorization === undefined) {
      throw new RequestError("no_authorization");
    }
    const { role } = await identify({ authorization: headers.authorization });
    if (role !== "service_role") throw new RequestError("not_admin");
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
