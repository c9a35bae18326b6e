import en from "../en/vouchers.json";
import it from "../it/vouchers.json";
import { addWords } from "../resources.ts";

addWords("vouchers", { en, it });
