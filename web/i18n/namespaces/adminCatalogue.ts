import en from "../en/adminCatalogue.json";
import it from "../it/adminCatalogue.json";
import { addNamespace } from "../resources.ts";

addNamespace("adminCatalogue", { en, it });
