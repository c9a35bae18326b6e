import en from "../en/pricing.json";
import it from "../it/pricing.json";
import { addNamespace } from "../resources.ts";

addNamespace("pricing", { en, it });
