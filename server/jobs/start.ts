import type { Database } from "../database/database.ts";
import type { Files } from "../supabase/storage/files.ts";
import { startRenditions } from "./renditions.ts";

export interface JobDeps {
  db: Database;
  files: Files;
  log: { error(error: unknown, message?: string): void };
}

/** Starts the work that outlives requests; resolves to a function that ends it once what runs is done. */
export async function startJobs(deps: JobDeps): Promise<() => Promise<void>> {
  const stops = [await startRenditions(deps)];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}
