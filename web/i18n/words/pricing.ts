import en from "../en/pricing.json";
import it from "../it/pricing.json";
import { addWords } from "../resources.ts";

addWords("pricing", { en, it });
