import en from "../en/adminAffiliates.json";
import it from "../it/adminAffiliates.json";
import { addNamespace } from "../resources.ts";

addNamespace("adminAffiliates", { en, it });
