import { startTestPostgres } from "./postgres.ts";

/** One PostgreSQL for the whole run; the workers, which start afterwards, read where it is from the environment. */
export default async function setup() {
  const { url, close } = await startTestPostgres();
  process.env.SKIES_TEST_POSTGRES = url;
  return close;
}
