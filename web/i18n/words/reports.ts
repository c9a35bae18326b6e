import en from "../en/reports.json";
import it from "../it/reports.json";
import { addWords } from "../resources.ts";

addWords("reports", { en, it });
