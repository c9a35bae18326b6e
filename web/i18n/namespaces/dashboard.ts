import en from "../en/dashboard.json";
import it from "../it/dashboard.json";
import { addNamespace } from "../resources.ts";

addNamespace("dashboard", { en, it });
