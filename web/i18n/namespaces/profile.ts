import en from "../en/profile.json";
import it from "../it/profile.json";
import { addNamespace } from "../resources.ts";

addNamespace("profile", { en, it });
