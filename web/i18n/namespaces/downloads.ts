import en from "../en/downloads.json";
import it from "../it/downloads.json";
import { addNamespace } from "../resources.ts";

addNamespace("downloads", { en, it });
