import en from "../en/legal.json";
import it from "../it/legal.json";
import { addNamespace } from "../resources.ts";

addNamespace("legal", { en, it });
