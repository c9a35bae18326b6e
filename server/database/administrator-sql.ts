import pg from "pg";

/** Who gets a database of Skies on a PostgreSQL server. */
export interface DatabaseOwner {
  user: string;
  password: string;
  /** The name of the new database; none is created without it. */
  database?: string;
}

/**
 * The statements that an administrator runs once on a PostgreSQL server, from version 15 on, so that an ordinary user
 * can run Skies: the roles of requests with their time limits (as in `migrations/0001_callers.sql`), the user, who may
 * act as them, and the user's database.
 */
export function administratorSql({ user, password, database }: DatabaseOwner): string[] {
  const owner = pg.escapeIdentifier(user);
  return [
    "create role anon nologin noinherit",
    "create role authenticated nologin noinherit",
    "create role service_role nologin noinherit",
    "alter role anon set statement_timeout = '3s'",
    "alter role authenticated set statement_timeout = '8s'",
    `create role ${owner} login password ${pg.escapeLiteral(password)}`,
    `grant anon, authenticated, service_role to ${owner}`,
    // Prepared statements are kept only while their memory can be measured.
    `grant pg_read_all_stats to ${owner}`,
    ...(database === undefined ? [] : [`create database ${pg.escapeIdentifier(database)} owner ${owner}`]),
  ];
}
