import en from "../en/help.json";
import it from "../it/help.json";
import { addNamespace } from "../resources.ts";

addNamespace("help", { en, it });
