import { supabase } from "../../lib/request/supabase.ts";
import { validateVoucher } from "./vouchers.queries.ts";

/** Asks about a code as the person who is here. A chunk of its own, with the client it brings: most visits have no code. */
export const askAboutVoucher = (code: string) => validateVoucher(supabase, code);
