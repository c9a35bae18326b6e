import en from "../en/about.json";
import it from "../it/about.json";
import { addNamespace } from "../resources.ts";

addNamespace("about", { en, it });
