import en from "../en/getStarted.json";
import it from "../it/getStarted.json";
import { addNamespace } from "../resources.ts";

addNamespace("getStarted", { en, it });
