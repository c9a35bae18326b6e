import { startTestPostgres } from "./postgres.ts";

/** Starts one PostgreSQL for the whole run. The workers start later and read its URL from the environment. */
export default async function setup() {
  const { url, close } = await startTestPostgres();
  process.env.SKIES_TEST_POSTGRES = url;
  return close;
}
