import en from "../en/plans.json";
import it from "../it/plans.json";
import { addWords } from "../resources.ts";

addWords("plans", { en, it });
