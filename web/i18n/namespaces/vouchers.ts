import en from "../en/vouchers.json";
import it from "../it/vouchers.json";
import { addNamespace } from "../resources.ts";

addNamespace("vouchers", { en, it });
