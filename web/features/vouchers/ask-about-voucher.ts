import { supabase } from "../../lib/request/supabase.ts";
import { validateVoucher } from "./vouchers.queries.ts";

/**
 * Validates a code as the current caller. In a separate chunk with the data client, because most visits have no code.
 */
export const askAboutVoucher = (code: string) => validateVoucher(supabase, code);
