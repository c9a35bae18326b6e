import type { SupabaseClient as AnyClient } from "@supabase/supabase-js";
import type { Database } from "../../../shared/database.ts";

/** A client of this database: a misspelt table, column, function or argument does not compile. */
export type SupabaseClient = AnyClient<Database>;
