import en from "../en/plans.json";
import it from "../it/plans.json";
import { addNamespace } from "../resources.ts";

addNamespace("plans", { en, it });
