import en from "../en/admin.json";
import it from "../it/admin.json";
import { addNamespace } from "../resources.ts";

addNamespace("admin", { en, it });
