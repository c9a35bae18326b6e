import en from "../en/reports.json";
import it from "../it/reports.json";
import { addNamespace } from "../resources.ts";

addNamespace("reports", { en, it });
