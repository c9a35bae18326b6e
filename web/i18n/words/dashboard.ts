import en from "../en/dashboard.json";
import it from "../it/dashboard.json";
import { addWords } from "../resources.ts";

addWords("dashboard", { en, it });
