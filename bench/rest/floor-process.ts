import { verify } from "@node-rs/argon2";
import fastify from "fastify";
import pg from "pg";

/**
 * The minimal work of a read and a sign-in: the same driver, SQL, row policies and hash, without tokens, planning and
 * accounts. Takes the database's URL and reports its own.
 */
const [url = ""] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 10, options: "-c jit=off" });

const STATEMENT = `select coalesce(json_agg(row_to_json(r)), '[]')::text as body, count(*) as page, null::bigint as total
  from (select id, person_name, created_at from memories order by created_at desc limit 20) r`;

const app = fastify();

app.get<{ Params: { id: string } }>("/memories/:id", async (request, reply) => {
  const claims = { role: "authenticated", sub: request.params.id, aal: "aal1" };
  const { rows } = await pool.query<{ body: string }>("select body, page, total from request.run($1, $2, $3, $4, $5)", [
    "authenticated",
    JSON.stringify(claims),
    STATEMENT,
    [],
    true,
  ]);
  return reply.type("application/json; charset=utf-8").send(rows[0]?.body);
});

app.post<{ Body: { password: string; hash: string } }>("/verify", async ({ body }) => ({
  same: await verify(body.hash, body.password),
}));

const address = await app.listen({ port: 0, host: "127.0.0.1" });
process.send?.({ url: address });
