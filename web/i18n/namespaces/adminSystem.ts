import en from "../en/adminSystem.json";
import it from "../it/adminSystem.json";
import { addNamespace } from "../resources.ts";

addNamespace("adminSystem", { en, it });
