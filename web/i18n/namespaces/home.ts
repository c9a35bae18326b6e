import en from "../en/home.json";
import it from "../it/home.json";
import { addNamespace } from "../resources.ts";

addNamespace("home", { en, it });
